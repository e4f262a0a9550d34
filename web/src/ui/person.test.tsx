import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderLight } from '../testing/render.tsx'
import { Avatar } from './person.tsx'

test('[SELF-01] a picture that is gone is the first letter, and a new one is shown', () => {
  const { container, rerender } = renderLight(<Avatar src="/media/old" name="Kim Anh" />)
  const picture = () => container.querySelector('img')
  fireEvent.error(picture() as HTMLElement)
  expect([picture(), container.textContent]).toEqual([null, 'K'])
  rerender(<Avatar src="/media/new" name="Kim Anh" />)
  expect(picture()?.getAttribute('src')).toBe('/media/new')
})
