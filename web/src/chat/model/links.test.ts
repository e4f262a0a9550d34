import { describe, expect, test } from 'vitest'
import { linkParts } from './links.ts'

const linksIn = (text: string) =>
  linkParts(text).flatMap(({ text: shown, link, ...rest }) => (link ? [{ shown, link, ...rest }] : []))
const addresses = (text: string) => linksIn(text).map(({ shown }) => shown)
const hostOf = (text: string) => (linksIn(text)[0] as { host?: string } | undefined)?.host

describe('[CONV-11] [TEXT-02] links', () => {
  test.each([
    ['see https://example.com now', ['https://example.com']],
    ['https://example.com/a?b=c#d', ['https://example.com/a?b=c#d']],
    ['HTTPS://Example.COM/Path', ['HTTPS://Example.COM/Path']],
    ['one http://a.example, two http://b.example.', ['http://a.example', 'http://b.example']],
    ['(http://a.example/x)', ['http://a.example/x']],
    ['http://a.example/x_(y)', ['http://a.example/x_(y)']],
    ['(see http://a.example/x_(y))', ['http://a.example/x_(y)']],
    ['[http://a.example]', ['http://a.example']],
    ['"http://a.example/"', ['http://a.example/']],
    ['<http://a.example/>', ['http://a.example/']],
    ['http://a.example/…', ['http://a.example/']],
    ['http://a.example/!?.,;:', ['http://a.example/']],
    ['请看http://a.example/路径。谢谢', ['http://a.example/路径']],
    ['见（http://a.example）', ['http://a.example']],
    ['http://evil。example/', ['http://evil']],
    ['请看 http://a.example/路径。', ['http://a.example/路径']],
    ['http://a.example\nhttp://b.example', ['http://a.example', 'http://b.example']],
    ['http://a.example\u3000next', ['http://a.example']],
    ['http://127.0.0.1:8080/x', ['http://127.0.0.1:8080/x']],
    ['http://[::1]/x', ['http://[::1]/x']],
    ['http://a.example:80/', ['http://a.example:80/']],
    ['*http://a.example*', ['http://a.example']],
    ['http://a.example/a_b_', ['http://a.example/a_b']],
    ['https://bank.example/slip/77।', ['https://bank.example/slip/77']],
    ['https://bank.example।ধন্যবাদ', ['https://bank.example']],
    ['https://bank.example॥', ['https://bank.example']],
    ['https://bank.example/x။ ကျေးဇူး', ['https://bank.example/x']],
    ['https://bank.example၊', ['https://bank.example']],
    ['https://bank.example/x؟', ['https://bank.example/x']],
    ['https://bank.example/x، ', ['https://bank.example/x']],
    ['https://bank.example/x๚', ['https://bank.example/x']],
    ['https://bank.example｡', ['https://bank.example']],
    ['https://bank.example．', ['https://bank.example']],
    ['https://bank.example～', ['https://bank.example']],
    ['«https://bank.example»', ['https://bank.example']],
    ['„https://bank.example/x“, да', ['https://bank.example/x']],
    ['“https://bank.example/x”', ['https://bank.example/x']],
    ['［https://bank.example］', ['https://bank.example']],
    ['https://bank.example——谢谢', ['https://bank.example']],
    ['https://bank.example/x—', ['https://bank.example/x']],
    ['https://bank.example🙏', ['https://bank.example']],
    ['https://bank.example/slip/77😊', ['https://bank.example/slip/77']],
    ['https://bank.example/slip/77✅谢谢', ['https://bank.example/slip/77']],
    ['https://bank.example/slip/77——謝謝', ['https://bank.example/slip/77']],
    ['https://bank.example/slip/77—спасибо', ['https://bank.example/slip/77']],
    ['https://bank.example²', ['https://bank.example']],
    ['http://①②⑦.⓪.⓪.①/', []],
    ['https://bank.example/xๆ', ['https://bank.example/x']],
    ['https://bank.example/xฯ', ['https://bank.example/x']],
    ['https://bank.example/x৷', ['https://bank.example/x']],
    ['https://de.example/wiki/1939–1945', ['https://de.example/wiki/1939–1945']],
    ['https://zh.wikipedia.org/wiki/史蒂夫·乔布斯·', ['https://zh.wikipedia.org/wiki/史蒂夫·乔布斯']],
    ['https://a.example/L’Oréal’', ['https://a.example/L’Oréal']],
    ['https://bn.example/র‌্যাব', ['https://bn.example/র']],
    ['https://bank.example/slip/77→客服', ['https://bank.example/slip/77']],
    ['https://bank.example/slip/77｜客服', ['https://bank.example/slip/77']],
    ['https://bank.example｜客服', ['https://bank.example']],
    ['https://bank.example|客服', ['https://bank.example']],
    ['＜https://bank.example/slip＞', ['https://bank.example/slip']],
    ['https://ja.example/HUNTER×HUNTER', ['https://ja.example/HUNTER×HUNTER']],
    [
      'http://a.example,http://b.example/x;https://c.example',
      ['http://a.example', 'http://b.example/x', 'https://c.example'],
    ],
    ['http://a.example/x|http://b.example', ['http://a.example/x', 'http://b.example']],
    ['http://a.example/x, http://b.example', ['http://a.example/x', 'http://b.example']],
    ['http://a.example/?to=http://b.example,c', ['http://a.example/?to=http://b.example,c']],
    ['https://web.example/2020/https://b.example/', ['https://web.example/2020/https://b.example/']],
  ])('%j', (text, expected) => {
    expect(addresses(text)).toEqual(expected)
  })

  test('what the text says is kept to the letter', () => {
    const text = 'a  http://a.example/x, (http://b.example)\n\tend \u202E http://c.example'
    expect(
      linkParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
    expect(linkParts('')).toEqual([])
    expect(linkParts('no link')).toEqual([{ text: 'no link' }])
  })

  test.each(
    [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      'javascript://example.com/%0aalert(1)',
      'data:text/html,<script>alert(1)</script>',
      'data:text/html;base64,PHNjcmlwdD4=',
      'vbscript:msgbox(1)',
      'file:///etc/passwd',
      'ftp://example.com',
      'blob:null/1',
      'view-source:example.com',
      'about:blank',
      'chrome://settings',
      'intent://x#Intent;end',
      'tel:+123',
      'sms:123',
      'mailto:a@example.com',
      'ws://example.com',
      'ssh://example.com',
      'tg://resolve?domain=x',
      'www.example.com',
      'example.com',
      '//example.com',
      'http:example.com',
      'http:/example.com',
      'https:\\\\example.com',
      'h\u200Bttp://example.com',
      'ht tp://example.com',
      'http//example.com',
      'http://',
      'https://',
      'http:///',
      'http://?',
      'http://#',
      'http://.',
      'http://:80',
      'http://@',
      'http://%',
      'http://[',
      'http://[::1',
      'http://a b'.slice(0, 7),
      'http://exa%00mple.com',
      'http://example.com:99999/',
      'http://example.com:abc/',
      `http://${'a'.repeat(3000)}.example`,
      'xhttp://example.com',
      'shttps://example.com',
      'http\u2236//example.com',
      'http://\u202Eexample.com',
      'http://\u0000',
    ].map((text) => [text]),
  )('%j is no link', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  // What was typed, and the host that must be shown beside it.
  test.each([
    ['http://good.com@evil.example/', 'evil.example'],
    ['http://good.com:80@evil.example', 'evil.example'],
    ['https://good.com%2F@evil.example', 'evil.example'],
    ['https://user:pass@evil.example/x', 'evil.example'],
    ['http://good.com\\@evil.example', 'good.com'],
    ['http://good.com\\.evil.example', 'good.com'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://ｅｖｉｌ.example/', 'evil.example'],
    ['http://p\u0430ypal.com/', 'xn--pypal-4ve.com'],
    ['http://аpple.com/', 'xn--pple-43d.com'],
    ['http://раураl.com/', 'xn--l-7sba6dbr.com'],
    ['http://gооgle.com/', 'xn--ggle-55da.com'],
    ['http://xn--pple-43d.com/', 'xn--pple-43d.com'],
    ['http://XN--pple-43d.com/', 'xn--pple-43d.com'],
    ['http://exаmple.com:8080/', 'xn--exmple-4nf.com:8080'],
    ['http://ℊoogle.com/', 'google.com'],
    ['http://𝐞𝐯𝐢𝐥.example/', 'evil.example'],
  ])('%s shows %s', (text, host) => {
    expect(hostOf(text)).toBe(host)
  })

  test.each(['http://αpple.com/', 'http://example.соm/', 'http://аpi.例え.テスト/'])('%s mixes scripts', (text) => {
    expect(hostOf(text)).toMatch(/^[a-z0-9.-]*xn--/)
  })

  test.each([
    'http://example.com/',
    'https://Example.COM:443/x',
    'http://example.com:8080/',
    'http://sub.example.com./'.replace('./', '/'),
    'http://пример.испытание/',
    'http://例え.テスト/',
    'http://例子.测试/',
    'http://ตัวอย่าง.ทดสอบ/',
    'http://உதாரணம்.பரிட்சை/',
    'http://127.0.0.1/',
    'http://bücher.example/',
  ])('%s needs no host beside it', (text) => {
    expect(linksIn(text)).toHaveLength(1)
    expect(hostOf(text)).toBeUndefined()
  })

  test('100 generated tricks: every link is http or https, and its text is in the message', () => {
    const pieces = [
      'http://',
      'https://',
      'javascript:',
      'a.example',
      'б',
      '@',
      '\\',
      '/',
      '%00',
      '\u202E',
      '<',
      '"',
      ' ',
      '(',
      ')',
      '.',
      ':80',
      'xn--',
      '#',
      '?',
      '\u200B',
      '[',
      ']',
      '&',
      "'",
      '。',
    ]
    let seed = 11
    const next = (most: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      return seed % most
    }
    for (let n = 0; n < 100; n++) {
      const text = Array.from({ length: 2 + next(12) }, () => pieces[next(pieces.length)]).join('')
      const parts = linkParts(text)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      for (const { link } of parts) if (link) expect(link).toMatch(/^https?:\/\/[^/]/)
    }
  })
})
