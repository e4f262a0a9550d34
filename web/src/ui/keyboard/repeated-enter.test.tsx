import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ignoreRepeatedEnter } from './repeated-enter.ts'

test('[TRF-07] Enter held down presses again where it went down, and nothing that gets the focus meanwhile', () => {
  const stop = ignoreRepeatedEnter()
  const onKeyDown = vi.fn<(text: string | null) => void>()
  render(
    <div onKeyDown={({ currentTarget: _, target }) => onKeyDown((target as HTMLElement).textContent)}>
      <button type="button">Take</button>
      <button type="button">Pay</button>
    </div>,
  )
  const [take, pay] = [screen.getByText('Take'), screen.getByText('Pay')]
  const isPressed = (button: HTMLElement, repeat: boolean) => fireEvent.keyDown(button, { key: 'Enter', repeat })
  expect([isPressed(take, false), isPressed(take, true)]).toEqual([true, true])
  expect(isPressed(pay, true)).toBe(false)
  expect(isPressed(pay, false)).toBe(true)
  expect(onKeyDown.mock.calls).toEqual([['Take'], ['Take'], ['Pay']])
  stop()
  expect(isPressed(take, true)).toBe(true)
})
