import { expect, test } from 'vitest'
import { mentionParts, mentionsIn } from './mentions.ts'

const mention = (id: number, name: string) => ({ id, name })
const shown = (text: string, ...names: string[]) =>
  mentionParts(
    text,
    names.map((name, at) => mention(at + 1, name)),
  ).map((part) => (typeof part === 'string' ? part : part.id))

test('[BELL-01] of names that begin alike the longest is meant, and a longer Latin word is another name', () => {
  expect(shown('ask @Mika Lee or @Mika.', 'Mika', 'Mika Lee')).toEqual(['ask ', 2, ' or ', 1, '.'])
  expect(shown('@Mikael, @Mika', 'Mika')).toEqual(['@Mikael, ', 1])
  expect(shown('@@Mika @', 'Mika')).toEqual(['@', 1, ' @'])
})

test('[BELL-01] names of scripts without spaces touch the next word; a mark makes another letter', () => {
  expect(shown('@สมชายช่วยดู', 'สมชาย')).toEqual([1, 'ช่วยดู'])
  expect(shown('@မင်းမင်းကြည့်ပါ', 'မင်းမင်း')).toEqual([1, 'ကြည့်ပါ'])
  expect(shown('请@王小明看一下', '王小明')).toEqual(['请', 1, '看一下'])
  expect(shown('@สมี', 'สม')).toEqual(['@สมี'])
  expect(shown('שלום @דנה!', 'דנה')).toEqual(['שלום ', 1, '!'])
})

test('[BELL-01] of the mentions those stay that the text still has, each once', () => {
  const [mika, omar] = [mention(1, 'Mika'), mention(2, 'Omar')]
  expect(mentionsIn('@Omar and @Omar', [mika, omar])).toEqual([omar])
  expect(mentionsIn('nobody', [mika, omar])).toEqual([])
})
