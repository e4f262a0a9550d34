import { expect, test, vi } from 'vitest'
import { passTime } from '../../testing/pass-time.ts'
import type * as Sound from './sound.ts'

type Tone = { onended?: () => void }
const tones: Tone[] = []
const states: string[] = []
class FakeContext {
  state: 'suspended' | 'running' = 'suspended'
  currentTime = 0
  destination = {}
  private setState(state: 'suspended' | 'running') {
    this.state = state
    states.push(state)
    return Promise.resolve()
  }
  resume = () => this.setState('running')
  suspend = () => this.setState('suspended')
  createGain = () => ({
    connect: () => {},
    gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} },
  })
  createOscillator = () => {
    const tone: Tone & Record<string, unknown> = {
      frequency: {},
      connect: (next: object) => next,
      start() {},
      stop() {},
    }
    tones.push(tone)
    return tone
  }
}

test('[CHAT-09] the audio device rests between sounds, and each sound wakes it', async () => {
  vi.stubGlobal('AudioContext', FakeContext)
  vi.useFakeTimers({ toFake: ['Date'] })
  // A device of its own: another file of this worker may have woken the page's already.
  const { chime, unlockSound } = (await import('./sound.ts?alone' as string)) as typeof Sound
  unlockSound()
  window.dispatchEvent(new Event('pointerdown'))
  await vi.waitFor(() => expect(states).toEqual(['running', 'suspended']))
  for (const sounds of [1, 2]) {
    passTime(20_000)
    chime()
    await vi.waitFor(() => expect(tones).toHaveLength(2 * sounds))
    expect(states.at(-1)).toBe('running')
    passTime(400)
    for (const { onended } of tones) onended?.()
    expect(states.at(-1)).toBe('suspended')
  }
})
