/** The part of mediabunny that audio.ts and tests use. Its own types need those of a browser, which the server does not have. */
declare module 'mediabunny' {
  export type DecoderConfig = { codec: string; sampleRate: number; numberOfChannels: number; description?: Uint8Array }
  export class EncodedPacket {
    constructor(data: Uint8Array, type: 'key' | 'delta', timestamp: number, duration: number)
    readonly data: Uint8Array
    readonly timestamp: number
    readonly duration: number
  }
  export type InputTrack = {
    isAudioTrack(): boolean
    getCodec(): Promise<string | null>
    getDecoderConfig(): Promise<DecoderConfig | null>
  }
  export class BufferSource {
    constructor(bytes: Uint8Array)
  }
  export class Input {
    constructor(options: { source: BufferSource; formats: readonly unknown[] })
    getTracks(): Promise<InputTrack[]>
    dispose(): void
  }
  export class EncodedPacketSink {
    constructor(track: InputTrack)
    packets(): AsyncGenerator<EncodedPacket>
  }
  export class BufferTarget {
    readonly buffer: ArrayBuffer | null
  }
  export class WebMOutputFormat {}
  export class OggOutputFormat {}
  export class Mp4OutputFormat {
    constructor(options: { fastStart: 'in-memory' | 'fragmented' })
  }
  export class EncodedAudioPacketSource {
    constructor(codec: 'opus' | 'aac')
    add(packet: EncodedPacket, meta?: { decoderConfig: DecoderConfig }): Promise<void>
  }
  export class EncodedVideoPacketSource {
    constructor(codec: 'vp8')
    add(
      packet: EncodedPacket,
      meta: { decoderConfig: { codec: string; codedWidth: number; codedHeight: number } },
    ): Promise<void>
  }
  export class Output {
    constructor(options: { format: WebMOutputFormat | Mp4OutputFormat | OggOutputFormat; target: BufferTarget })
    addAudioTrack(source: EncodedAudioPacketSource): void
    addVideoTrack(source: EncodedVideoPacketSource): void
    setMetadataTags(tags: { title: string; comment: string }): void
    start(): Promise<void>
    finalize(): Promise<void>
  }
  export const MP4: unknown
  export const WEBM: unknown
  export const OGG: unknown
}
