import type { Answer } from '@tallyroom/contract'

export type EndpointRow = Answer<'endpoint/list'>['data'][number]
