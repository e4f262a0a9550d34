import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  Input,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { MAX_VOICE_SECONDS } from '@tallyroom/contract/files'

/** Why a voice note is not taken. */
export class VoiceRefused extends Error {
  readonly reason: 'damaged' | 'too_long' | 'unsupported'
  constructor(reason: VoiceRefused['reason'], why: string) {
    super(why)
    this.reason = reason
  }
}
const damaged = (why: string) => new VoiceRefused('damaged', why)
const unsupported = (why: string) => new VoiceRefused('unsupported', why)

/** A recorder that is stopped at a minute has its last packet behind it. */
const MAX_SECONDS = MAX_VOICE_SECONDS + 1
/** 2.5 ms is the shortest packet of Opus. */
const MAX_PACKETS = MAX_SECONDS * 400
/** Six frames of Opus; a frame of AAC has at most 768 bytes for each of eight channels. */
const MAX_PACKET_BYTES = 7680
const AAC_FRAME = 1024

/**
 * Takes the packets of a recording out of its container and writes them into a new one: WebM for Opus, MP4 for AAC.
 * Names, places, pictures, other tracks and bytes outside of the container stay behind. The length is that of the
 * packets, whatever the container says. @throws VoiceRefused
 */
export const rewriteVoice = async (bytes: Buffer): Promise<{ type: string; body: Buffer; ms: number }> => {
  const input = new Input({ source: new BufferSource(bytes), formats: [WEBM, MP4, OGG] })
  try {
    const tracks = await input.getTracks()
    const [track] = tracks
    if (!track) throw damaged('no track')
    if (tracks.length > 1 || !track.isAudioTrack()) throw unsupported('not one track of sound')
    const codec = await track.getCodec()
    if (codec !== 'opus' && codec !== 'aac') throw unsupported(`codec ${codec}`)
    const found = await track.getDecoderConfig()
    if (!found) throw damaged('no description of its sound')
    if (found.numberOfChannels > 2) throw unsupported('more than two channels')
    const config = { ...found, ...(found.description && { description: headOf(codec, found.description) }) }
    const target = new BufferTarget()
    const format = codec === 'opus' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' })
    const output = new Output({ format, target })
    const source = new EncodedAudioPacketSource(codec)
    output.addAudioTrack(source)
    await output.start()
    let [count, sound, end, first] = [0, 0, 0, 0]
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      const duration = codec === 'opus' ? secondsOfOpus(data) : AAC_FRAME / config.sampleRate
      if (count === 0) first = timestamp
      // A pause is a gap; going back is not possible. Some recorders overlap by rounding.
      const at = Math.max(timestamp - first, end - 0.005, 0)
      sound += duration
      end = at + duration
      if (end > MAX_SECONDS || sound > MAX_SECONDS || ++count > MAX_PACKETS)
        throw new VoiceRefused('too_long', `${end} s`)
      if (data.length === 0 || data.length > MAX_PACKET_BYTES) throw damaged('a packet of a wrong size')
      await source.add(new EncodedPacket(data, 'key', at, duration), { decoderConfig: config })
    }
    if (count === 0) throw damaged('no sound')
    await output.finalize()
    if (!target.buffer) throw new Error('the container was not written')
    const body = Buffer.from(target.buffer)
    const ms = Math.min(Math.round(end * 1000), MAX_VOICE_SECONDS * 1000)
    return { type: codec === 'opus' ? 'audio/webm' : 'audio/mp4', body, ms }
  } catch (error) {
    throw error instanceof VoiceRefused ? error : damaged(error instanceof Error ? error.message : String(error))
  } finally {
    input.dispose()
  }
}

/** The bytes that a decoder needs: anything may follow them (RFC 7845, 5.1; ISO 14496-3, 1.6.2.1 with its extension). */
const headOf = (codec: 'opus' | 'aac', description: AllowSharedBufferSource): Uint8Array => {
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description)
  return bytes.slice(0, codec === 'opus' ? 19 : 5)
}

/** The length that an Opus packet's first bytes say (RFC 6716, 3.1): what a decoder will play. */
const secondsOfOpus = (data: Uint8Array): number => {
  const [head = 0, second = 0] = data
  const config = head >> 3
  const silk = [10, 20, 40, 60]
  const frame = config < 12 ? silk[config % 4] : config < 16 ? [10, 20][config % 2] : [2.5, 5, 10, 20][config % 4]
  const frames = (head & 3) === 0 ? 1 : (head & 3) < 3 ? 2 : second & 63
  const ms = (frame ?? 0) * frames
  if (ms <= 0 || ms > 120) throw damaged('no packet of Opus')
  return ms / 1000
}
