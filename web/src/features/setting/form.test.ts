import { expect, test } from 'vitest'
import { emptyDraft, isColour, toSave } from './form.ts'

test('[SET-02] an https image is left out, an empty one is sent as empty, a new one is sent', () => {
  const saved = (background_image: string) => toSave({ ...emptyDraft, background_image }, false)
  expect(saved('https://img.example/a.png')).not.toHaveProperty('background_image')
  expect(saved('/media/0123')).not.toHaveProperty('background_image')
  expect(saved('').background_image).toBe('')
  expect(saved('data:image/jpeg;base64,AAAA').background_image).toBe('data:image/jpeg;base64,AAAA')
})

test('only the top account sends the address of its platform', () => {
  expect(toSave({ ...emptyDraft, api_url: 'https://a.example' }, false)).not.toHaveProperty('api_url')
  expect(toSave({ ...emptyDraft, api_url: ' https://a.example ' }, true).api_url).toBe('https://a.example')
})

test.each(['', '#000000', '#ABCdef', ' #123456 '])('%s is a colour', (text) => expect(isColour(text)).toBe(true))
test.each(['red', '#fff', '#12345', '#1234567', '123456'])('%s is not a colour', (text) =>
  expect(isColour(text)).toBe(false),
)
