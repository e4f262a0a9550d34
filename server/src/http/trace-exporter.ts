import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'

const LOG_MS = 60_000
/** ExportResultCode.FAILED of the library, which is not loaded for a number. */
const FAILED = 1

/** Says in the log, once a minute, that the collector does not take spans, and how many are lost. Nothing waits for it. */
export const sendTo = (exporter: SpanExporter, log: Pick<Logger, 'warn'>): SpanExporter => {
  let lost = 0
  let lastLog = -Infinity
  const note = (spans: ReadableSpan[], error: Error | undefined) => {
    lost += spans.length
    const now = performance.now()
    if (now - lastLog < LOG_MS) return
    log.warn(
      { reason: error?.message, lost },
      'The collector (OTEL_EXPORTER_OTLP_ENDPOINT) does not take traces. Everything else goes on',
    )
    lastLog = now
    lost = 0
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === FAILED) note(spans, result.error)
        done(result)
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
