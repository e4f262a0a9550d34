import { useEffect, useRef, useState } from 'react'
import { WAVEFORM_HEIGHT } from '@tallyroom/contract/files'
import type { Voice } from '@tallyroom/contract/events'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { voiceLength } from '../../model/message-kinds.ts'
import './attachments.css'

/** The sound that plays now: another one pauses it. */
let playing: HTMLAudioElement | undefined
/** Shown when the sender's browser could not measure one. */
const FLAT = Array.from({ length: 28 }, () => 3)

/** A voice note: play, its waveform with the position, its length. Nothing is loaded before it is played. */
export const VoiceNote = ({ src, voice }: { src: string; voice: Voice }) => {
  const { t } = useWords()
  const sound = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [failed, setFailed] = useState(false)
  const bars = voice.waveform.length ? voice.waveform : FLAT

  // A row that leaves the screen stops.
  useEffect(() => {
    const element = sound.current
    return () => element?.pause()
  }, [])

  const toggle = () => {
    const element = sound.current
    if (!element) return
    if (!element.paused) return element.pause()
    if (playing !== element) playing?.pause()
    playing = element
    setFailed(false)
    element.play().catch(() => setFailed(true))
  }
  const word = t(isPlaying ? 'message.pause' : 'message.play')
  return (
    <>
      <div className="c-voice">
        <audio
          ref={sound}
          src={src}
          preload="none"
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onTimeUpdate={(event) => setAt(event.currentTarget.currentTime * 1000)}
          onEnded={() => setAt(0)}
          onError={() => isPlaying && setFailed(true)}
        />
        <button type="button" className="c-play" aria-label={word} title={word} onClick={toggle}>
          <Icon name={isPlaying ? 'pause' : 'play'} size={14} />
        </button>
        <span className="c-wave">
          {bars.map((height, n) => (
            <i
              key={n}
              data-on={at > 0 && n / bars.length < at / voice.ms ? true : undefined}
              style={{ height: `${Math.max(12, Math.round((height / WAVEFORM_HEIGHT) * 100))}%` }}
            />
          ))}
          <input
            type="range"
            min={0}
            max={voice.ms}
            step={100}
            value={Math.min(at, voice.ms)}
            aria-label={t('message.voice_position')}
            aria-valuetext={voiceLength(at)}
            onChange={(event) => {
              const to = Number(event.target.value)
              setAt(to)
              if (sound.current) sound.current.currentTime = to / 1000
            }}
          />
        </span>
        <span className="c-voice-time">{voiceLength(at > 0 ? at : voice.ms)}</span>
      </div>
      {failed && (
        <p className="c-note" role="alert">
          {t('message.not_played')}
        </p>
      )}
    </>
  )
}
