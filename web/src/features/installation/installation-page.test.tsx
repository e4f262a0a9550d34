import type { Answer } from '@tallyroom/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { InstallationPage } from './installation-page.tsx'
import { sizeText, timeText } from './sentences.ts'

type Finding = Answer<'installation/view'>['findings'][number]
const finding = (topic: Finding['topic'], fields: Partial<Finding> = {}): Finding => ({
  topic,
  state: 'fine',
  count: null,
  seconds: null,
  bytes: null,
  more_bytes: null,
  ...fields,
})
const answers = (findings: Finding[], is_outside = false) =>
  server.answers('installation/view', {
    at: '2026-11-23T12:00:00.000Z',
    is_outside,
    versions: { tallyroom: '1.2.3', node: '24.1.0', postgres: '18.6' },
    commands: { doctor: 'tallyroom doctor', backup: 'tallyroom backup DIR', drill: 'tallyroom drill DIR' },
    findings,
  })

test('[RUN-02] what is fine is a sentence; what somebody should look at also says what to do', async () => {
  answers([
    finding('people', { count: 1234 }),
    finding('messages', { count: 100_001 }),
    finding('waiting', { state: 'warning', count: 2, seconds: 1000 }),
    finding('backup', { state: 'wrong' }),
    finding('database', { bytes: 12_300_000_000, more_bytes: 240_000_000 }),
    finding('clock'),
  ])
  const { user } = await renderOffice(<InstallationPage />)
  expect(await screen.findByText(t('installation.look', { count: 2 }))).toBeTruthy()
  expect(screen.getByText('Tallyroom 1.2.3 · Node 24.1.0 · PostgreSQL 18.6')).toBeTruthy()
  expect(screen.getByText(t('installation.people', { count: '1,234' }))).toBeTruthy()
  expect(screen.getByText(t('installation.messages', { count: '> 100,000' }))).toBeTruthy()
  expect(screen.getByText(t('installation.waiting', { count: '2', time: '16 min' }))).toBeTruthy()
  expect(screen.getByText(t('installation.do_waiting'))).toBeTruthy()
  expect(screen.getByText(t('installation.backup_never'))).toBeTruthy()
  expect(screen.getByText(t('installation.do_backup', { command: 'tallyroom backup DIR' }))).toBeTruthy()
  expect(screen.getByText(t('installation.database', { size: '12.3 GB', more: '240 MB' }))).toBeTruthy()
  expect(screen.getAllByText(t('installation.fine'))).toHaveLength(4)
  answers([finding('people', { count: 1 })])
  await user.click(button(t('webhook.refresh')))
  expect(await screen.findByText(t('installation.all_fine'))).toBeTruthy()
})

test('[RUN-02] a database elsewhere is not said to have no backup; each topic has its own sentence', async () => {
  const topics = ['seal', 'points', 'standbys', 'archive', 'key', 'demo', 'relay', 'disk'] as const
  const given = topics.map((topic) => finding(topic, { state: 'warning', seconds: 300_000, bytes: 1, more_bytes: 2 }))
  answers([finding('backup', { state: 'warning' }), ...given], true)
  const { user } = await renderOffice(<InstallationPage />)
  expect(await screen.findByText(t('installation.backup_outside'))).toBeTruthy()
  expect(screen.getByText(t('installation.do_backup_outside', { command: 'DATA_DIR/last-backup' }))).toBeTruthy()
  expect(screen.getByText(t('installation.seal_behind', { time: '3 d' }))).toBeTruthy()
  expect(screen.getByText(t('installation.standbys_behind', { time: '3 d' }))).toBeTruthy()
  expect(screen.getAllByRole('listitem')).toHaveLength(topics.length + 1)
  expect(screen.getAllByText(t('installation.do_doctor', { command: 'tallyroom doctor' })).length).toBeGreaterThan(2)
  answers([finding('backup', { seconds: 7200 })], true)
  await user.click(button(t('webhook.refresh')))
  expect(await screen.findByText(t('installation.backup', { time: '2 h' }))).toBeTruthy()
})

test('[RUN-02] ages and sizes are given in the unit that says enough', () => {
  expect([10, 7199, 7200, 172_799, 172_800].map((seconds) => timeText(t, seconds))).toEqual([
    '1 min',
    '119 min',
    '2 h',
    '47 h',
    '2 d',
  ])
  expect([0, 999, 1000, 15_400_000, 2_000_000_000_000].map(sizeText)).toEqual([
    '0 B',
    '999 B',
    '1 KB',
    '15 MB',
    '2.0 TB',
  ])
})
