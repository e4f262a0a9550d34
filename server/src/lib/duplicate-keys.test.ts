import { expect, test } from 'vitest'
import { duplicateKeys } from './duplicate-keys.ts'

test('[API-12] keys that an object has twice are found by their paths, however they are written', () => {
  const of = (text: string) => {
    JSON.parse(text)
    return duplicateKeys(text).map((path) => path.join('/'))
  }
  expect(of('{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}')).toEqual([])
  expect(of('{"a":1,"a":1}')).toEqual(['a'])
  expect(of('{"a" : 1 , "\\u0061" : 2}')).toEqual(['a'])
  expect(of('{"a":{"b":1},"c":[0,{"x":1,"x":[],"x":{}}],"a":null}')).toEqual(['c/1/x', 'c/1/x', 'a'])
  expect(of('{"a":"\\",\\"a\\":","b":"{\\"a\\":1,","c":"a"}')).toEqual([])
  expect(of('{"__proto__":1,"__proto__":2,"":1,"":2}')).toEqual(['__proto__', ''])
  expect(of('["a","a",[],"a"]')).toEqual([])
})
