import { expect, test } from 'vitest'
import { renderLight } from '../../testing/render.tsx'
import { Button } from './button.tsx'

/** As the translator of a browser does: the text moves into an element of its own. */
const translate = (holder: Element) => {
  const [text] = [...holder.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
  if (!text) return [...holder.children].forEach(translate)
  const font = document.createElement('font')
  text.replaceWith(font)
  font.append(text)
}

test('[TEXT-03] a button whose words were translated gets its spinner, and loses it again', () => {
  const { container, rerender } = renderLight(<Button icon="plus">Save</Button>)
  translate(container)
  rerender(
    <Button icon="plus" busy>
      Save
    </Button>,
  )
  expect(container.querySelectorAll('.spinner')).toHaveLength(1)
  rerender(<Button>Save</Button>)
  expect(container.querySelectorAll('.spinner, svg')).toHaveLength(0)
  expect(container.textContent).toBe('Save')
})
