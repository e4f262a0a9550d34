import { seal } from '@tallyroom/contract/wire'
import { expect, test } from 'vitest'
import { fakeFetch, resetServer, server } from './fake-server.ts'

/** What the fake server has against a call, once it was made. */
const faultsOf = async (name: string, input: object) => {
  const body = JSON.stringify(seal(name, input, 'component tests'))
  await fakeFetch(`/api/${name}`, { body }).catch(() => {})
  return resetServer().join()
}

test('a call that no test expects is a fault', async () => {
  expect(await faultsOf('user/list', {})).toContain('the test says nothing about it')
  expect(await faultsOf('user/nothing', {})).toContain('No call has the address')
})

test('a request that the contract does not allow is a fault', async () => {
  server.answers('user/list', { data: [], total: 0, totals: null })
  expect(await faultsOf('user/list', { page: 0 })).toContain('user/list was asked with {"page":0}')
})

test('a write without a request id is a fault', async () => {
  server.answers('user/delete', null)
  expect(await faultsOf('user/delete', { id: 1 })).toContain('without a request_id')
})

test('an answer that the contract does not allow, or with fields that it does not know, is a fault', async () => {
  server.answers('user/list', { data: [], total: '0', totals: null } as never)
  expect(await faultsOf('user/list', {})).toContain('user/list never answers so')
  server.answers('user/list', { data: [], total: 0, totals: null, more: 1 } as never)
  expect(await faultsOf('user/list', {})).toContain('user/list has no such fields')
})

test('a refusal that the call does not declare is a fault', () => {
  expect(() => server.refuses('user/list', 'transfer.frozen' as never)).toThrow('never refuses with transfer.frozen')
  expect(resetServer()).toHaveLength(1)
})
