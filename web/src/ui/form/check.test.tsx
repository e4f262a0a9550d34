import { readFileSync } from 'node:fs'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderLight } from '../../testing/render.tsx'
import { Check } from './check.tsx'

const sheet = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('[SET-01] a checkbox in a field keeps its distance from its label', () => {
  const style = document.createElement('style')
  style.textContent = sheet('check.css') + sheet('../../theme/controls.css')
  document.head.append(style)
  renderLight(
    <p className="field">
      <Check isOn onChange={() => {}}>
        Members may ask
      </Check>
    </p>,
  )
  const label = screen.getByText('Members may ask')
  expect(getComputedStyle(label).display).toBe('inline-flex')
  style.remove()
})
