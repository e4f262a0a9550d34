import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import { Wallets } from './wallets.tsx'

const isLong = () => document.querySelector<HTMLElement>('.wallets')?.dataset.long !== undefined
const points = (whole: number) => BigInt(whole) * 10_000n

test('[CONV-14] beside large amounts the names of the wallets have lines of their own', async () => {
  const differences = (before: bigint, after: bigint) => [
    { owner: 'Dana', before, after },
    { owner: 'Gina Wong', before: points(180), after: points(1_680) },
  ]
  const { unmount } = await renderOffice(<Wallets differences={differences(points(987_654), points(986_154))} />)
  expect(screen.getByText('Gina Wong')).toBeTruthy()
  expect(isLong()).toBe(false)
  unmount()
  await renderOffice(<Wallets differences={differences(points(98_765_499_947), points(98_765_498_447))} />)
  expect(isLong()).toBe(true)
})

test('[CONV-14] an unlimited wallet needs no room', async () => {
  const differences = [
    { owner: 'Admin', before: points(98_765_499_947), after: points(98_765_498_447), unlimited: true },
  ]
  await renderOffice(<Wallets differences={differences} />)
  expect(isLong()).toBe(false)
})

test('[CONV-14] which amount is before and which is after is said in words', async () => {
  await renderOffice(<Wallets differences={[{ owner: 'Gina', before: points(50), after: points(20) }]} />)
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'Balance before 50.00',
    'Balance after → 20.00',
  ])
})
