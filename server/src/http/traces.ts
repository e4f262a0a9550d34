import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Attributes, Link, Span, SpanContext, SpanKind as Kind } from '@opentelemetry/api'
import type * as Sdk from '@opentelemetry/sdk-trace'
import type { Sampler } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TraceSettings } from '../config/trace-settings.ts'
import { codeOf } from '../data/faults.ts'
import { withTimeout } from '../lib/concurrency.ts'
import { Refused } from '../lib/refusal.ts'
import type { Joined, Traces } from '../lib/traces.ts'
import { sendTo } from './trace-exporter.ts'

type TracesOptions = {
  settings: TraceSettings
  /** Which part of the installation this process is. */
  part: string
  /** Clients come through a proxy that we trust to set `traceparent`. */
  trustsParent: boolean
  log: Pick<Logger, 'warn'>
}
/** `fields` are those of a line of the log, so that its trace can be found. */
export type OpenTraces = { traces: Traces; fields: () => { trace_id?: string; span_id?: string } }

/** The most that a stop waits for a collector that does not answer. */
const FLUSH_MS = 3000
/** As many as a batch may hold. */
const MAX_LINKS = 200

/**
 * Records what calls do, as spans of OpenTelemetry, and sends them to a collector. Spans hold names of calls, refusals,
 * statements and ids of calls, and nothing of what people wrote, own or are named. The library is loaded here and only
 * here, so a server without an endpoint does not have it in memory.
 */
export const openTraces = async ({ settings, part, trustsParent, log }: TracesOptions): Promise<OpenTraces> => {
  const [api, sdk, core] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/core'),
  ])
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } = api
  const provider = await makeProvider({ settings, part, log }, sdk)
  const tracer = provider.getTracer('tallyroom')
  const active = new AsyncLocalStorage<Span>()

  const isSampled = ({ traceFlags }: SpanContext) => (traceFlags & TraceFlags.SAMPLED) !== 0
  /** The span that runs now, if it is recorded. */
  const current = (): Span | undefined => {
    const span = active.getStore()
    return span && isSampled(span.spanContext()) ? span : undefined
  }
  const start = (name: string, attributes: Attributes, { parent, kind = 0, links = [] }: StartOptions = {}) =>
    tracer.startSpan(name, { attributes, kind, links }, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
  const remote = (carried: string | undefined): Span | undefined => {
    const context = carried === undefined ? null : core.parseTraceParent(carried)
    return context ? trace.wrapSpanContext({ ...context, isRemote: true }) : undefined
  }
  /** Why something failed, by a name: the words of an error may hold what somebody wrote. */
  const fail = (span: Span, error: unknown) => {
    if (error instanceof Refused) return void span.setAttribute('tallyroom.outcome', error.refusal)
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', codeOf(error) || (error instanceof Error ? error.constructor.name : typeof error))
  }
  const within = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
    try {
      return await active.run(span, work)
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
    }
  }

  const traces: Traces = {
    call: ({ name, callId, traceparent }, work) => {
      const parent = trustsParent ? remote(traceparent) : undefined
      const span = start(name, { 'tallyroom.call_id': callId }, { parent, kind: SpanKind.SERVER })
      return within(span, async () => {
        const answered = await work()
        const outcome = answered.refusal ?? 'success'
        span.setAttribute('tallyroom.outcome', outcome)
        if (outcome.startsWith('server.')) span.setStatus({ code: SpanStatusCode.ERROR })
        return answered
      })
    },
    part: (name, work) => {
      const parent = current()
      return parent ? within(start(name, {}, { parent }), work) : work()
    },
    statement: ({ short, full }, work) => {
      const parent = current()
      if (!parent) return work()
      const attributes = { 'db.system.name': 'postgresql', ...(full !== undefined && { 'tallyroom.statement': full }) }
      return within(start(short, attributes, { parent, kind: SpanKind.CLIENT }), work)
    },
    outgoing: (name, work, answerOf) => {
      const span = start(name, {}, { parent: active.getStore(), kind: SpanKind.CLIENT })
      return within(span, async () => {
        const sent = await work({ traceparent: asText(span.spanContext()) })
        const answer = answerOf?.(sent)
        if (answer === undefined) return sent
        span.setAttribute('tallyroom.outcome', answer)
        if (!/^2\d\d$/.test(answer)) span.setStatus({ code: SpanStatusCode.ERROR })
        return sent
      })
    },
    batches: (of) => ({
      join: (): Joined => {
        const parent = current()
        return parent && { parent, waiting: start(`wait for ${of}`, {}, { parent }) }
      },
      run: (joined, work) => {
        const calls = joined.filter((one) => one !== undefined) as Waiting[]
        // A batch has no parent call: which one began it is chance, and its statements are not that call's.
        if (calls.length === 0) return active.exit(work)
        const links = calls.map(({ parent }) => ({ context: parent.spanContext() }))
        const span = start(`batch of ${of}`, { 'tallyroom.batch_size': joined.length }, { links })
        for (const { waiting } of calls) waiting.addLink({ context: span.spanContext() })
        return within(span, work).finally(() => {
          for (const { waiting } of calls) waiting.end()
        })
      },
    }),
    carried: () => {
      const span = current()
      return span && asText(span.spanContext())
    },
    resume: (carried, work) => {
      const span = remote(carried)
      return span ? active.run(span, work) : work()
    },
    close: () => withTimeout(provider.shutdown(), FLUSH_MS).catch(() => undefined),
  }
  const fields = () => {
    const span = current()?.spanContext()
    return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
  }
  return { traces, fields }
}

const makeProvider = async (
  { settings, part, log }: Pick<TracesOptions, 'settings' | 'part' | 'log'>,
  sdk: typeof Sdk,
): Promise<Sdk.TracerProvider> => {
  const [resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { url, headers, timeoutMs } = settings
  return new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'host.name': hostname(),
      'service.instance.id': randomUUID(),
      ...settings.resource,
      'tallyroom.process': part,
    }),
    spanLimits: { linkCountLimit: MAX_LINKS },
    sampler: withLinks(samplerOf(settings, sdk), sdk.SamplingDecision.RECORD_AND_SAMPLED),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: sendTo(new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs }), log),
        scheduledDelayMillis: settings.delayMs,
      }),
    ],
  })
}

type StartOptions = { parent?: Span | undefined; kind?: Kind; links?: Link[] }
type Waiting = { parent: Span; waiting: Span }

const asText = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${(traceFlags & 1).toString().padStart(2, '0')}`

const samplerOf = ({ sampler, ratio }: TraceSettings, sdk: typeof Sdk): Sampler => {
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[sampler.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']()
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

/** A batch is recorded when one of its calls is: it starts with links to those that are. */
const withLinks = (inner: Sampler, decision: 2): Sampler => ({
  shouldSample: (context, traceId, name, kind, attributes, links) =>
    links.length > 0 ? { decision } : inner.shouldSample(context, traceId, name, kind, attributes, links),
  toString: () => inner.toString(),
})
