import { MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import type { Recording } from '../../../media/recorder.ts'
import { button, renderLight } from '../../../testing/render.tsx'
import { hasRecording, takeRecording } from '../../model/kept-recordings.ts'
import { VoiceRecorder } from './voice-recorder.tsx'

/** A microphone and a recorder as browsers have them. */
class FakeRecorder extends EventTarget {
  static isTypeSupported = (type: string) => type.startsWith('audio/webm')
  state: 'inactive' | 'recording' = 'inactive'
  readonly mimeType: string
  constructor(_stream: unknown, { mimeType = '' }: { mimeType?: string }) {
    super()
    this.mimeType = mimeType
  }
  start() {
    this.state = 'recording'
  }
  stop() {
    this.state = 'inactive'
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }))
    this.dispatchEvent(new Event('stop'))
  }
}
class FakeContext {
  state = 'running'
  createAnalyser = () => ({ fftSize: 0, getByteTimeDomainData: (samples: Uint8Array) => samples.fill(200) })
  createMediaStreamSource = () => ({ connect: () => {} })
  close = () => {
    this.state = 'closed'
    return Promise.resolve()
  }
}
let track: EventTarget & { stop: () => void }
const microphone = (open: () => Promise<unknown>) => {
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: open }, configurable: true })
}

beforeEach(() => {
  void takeRecording('r1')
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  vi.stubGlobal('AudioContext', FakeContext)
  track = Object.assign(new EventTarget(), { stop: vi.fn<() => void>() })
  microphone(() => Promise.resolve({ getTracks: () => [track] }))
})

const open = () => {
  const onSend = vi.fn<(recording: Recording) => void>()
  const onClose = vi.fn<() => void>()
  return { onSend, onClose, ...renderLight(<VoiceRecorder code="r1" onSend={onSend} onClose={onClose} />) }
}

describe('[CONV-12] recording a voice note', () => {
  test.each([
    ['NotAllowedError', 'message.mic_blocked'],
    ['NotFoundError', 'message.mic_missing'],
    ['NotReadableError', 'message.mic_busy'],
  ] as const)('%s: a sentence says what to do, and nothing is sent', async (name, word) => {
    microphone(() => Promise.reject(new DOMException('', name)))
    const { onSend, onClose, user } = open()
    expect((await screen.findByRole('alert')).textContent).toBe(t(word))
    expect(button(t('message.send_voice'))).toHaveProperty('disabled', true)
    await user.click(button(t('action.cancel')))
    expect(onClose).toHaveBeenCalledOnce()
    expect(onSend).not.toHaveBeenCalled()
  })

  test('a page without TLS and a browser without a recorder say so', async () => {
    vi.stubGlobal('isSecureContext', false)
    const { unmount } = open()
    expect((await screen.findByRole('alert')).textContent).toBe(t('message.mic_insecure'))
    unmount()
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('MediaRecorder', undefined)
    open()
    expect((await screen.findByRole('alert')).textContent).toBe(t('message.mic_unsupported'))
  })

  test('Enter sends it with its waveform and frees the microphone; Escape sends nothing', async () => {
    const { onSend, onClose, user, unmount } = open()
    await screen.findByRole('timer')
    await user.keyboard('{Enter}')
    expect(onSend).toHaveBeenCalledWith({
      blob: expect.any(Blob),
      voice: { ms: expect.any(Number), waveform: expect.any(Array) },
    })
    expect(onClose).toHaveBeenCalledOnce()
    expect(track.stop).toHaveBeenCalled()
    unmount()
    const again = open()
    await screen.findByRole('timer')
    await again.user.keyboard('{Escape}')
    expect(again.onClose).toHaveBeenCalledOnce()
    expect(again.onSend).not.toHaveBeenCalled()
  })

  test('one that is left with its room is there again, and goes by its button only', async () => {
    const { unmount } = open()
    await screen.findByRole('timer')
    unmount()
    expect(track.stop).toHaveBeenCalled()
    expect([hasRecording('r1'), hasRecording('r2')]).toEqual([true, false])
    const again = open()
    expect((await screen.findByRole('alert')).textContent).toBe(t('message.record_left'))
    expect(button(t('message.play'))).toBeTruthy()
    await again.user.keyboard('{Enter}')
    expect(again.onSend).not.toHaveBeenCalled()
    again.unmount()
    const third = open()
    await screen.findByRole('alert')
    await third.user.click(button(t('message.send_voice')))
    expect(third.onSend).toHaveBeenCalledWith({ blob: expect.any(Blob), voice: expect.anything() })
    third.unmount()
    expect(hasRecording('r1')).toBe(false)
  })

  test('one that is being sent while its room is left goes once, and is not kept', async () => {
    const { onSend, unmount } = open()
    await screen.findByRole('timer')
    fireEvent.keyDown(screen.getByRole('group'), { key: 'Enter' })
    unmount()
    await vi.waitFor(() => expect(onSend).toHaveBeenCalledOnce())
    expect(hasRecording('r1')).toBe(false)
  })

  test('a microphone that goes away keeps what was recorded, to be heard, sent or left', async () => {
    const { onSend, user } = open()
    await screen.findByRole('timer')
    act(() => void track.dispatchEvent(new Event('ended')))
    expect((await screen.findByRole('alert')).textContent).toBe(t('message.mic_gone'))
    expect(button(t('message.play'))).toBeTruthy()
    await user.click(button(t('message.send_voice')))
    expect(onSend).toHaveBeenCalledOnce()
  })

  test('at its limit it ends by itself; the last seconds are counted down', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    open()
    await screen.findByRole('timer')
    vi.advanceTimersByTime((MAX_VOICE_SECONDS - 2) * 1000)
    expect(await screen.findByText(t('message.seconds_left', { n: 2 }))).toBeTruthy()
    vi.advanceTimersByTime(2000)
    expect((await screen.findByRole('alert')).textContent).toBe(t('message.record_full'))
  })
})
