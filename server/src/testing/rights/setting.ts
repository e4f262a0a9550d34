import type { CallName, Input } from '@tallyroom/contract'
import type { apiKeyCalls } from '@tallyroom/contract/calls/office/api-key'
import type { deskHoursCalls } from '@tallyroom/contract/calls/office/desk-hours'
import type { deskSettingCalls } from '@tallyroom/contract/calls/office/desk-setting'
import type { settingCalls } from '@tallyroom/contract/calls/office/setting'
import type { endpointOfficeCalls } from '@tallyroom/contract/calls/office/endpoint'
import type { shareCalls } from '@tallyroom/contract/calls/accounts/share'
import { defaultRules } from '@tallyroom/contract/desk/rules'
import { admins, everyone, office, operators, type Row } from './row.ts'

type SettingCall = CallName &
  keyof (typeof settingCalls &
    typeof deskSettingCalls &
    typeof deskHoursCalls &
    typeof shareCalls &
    typeof apiKeyCalls &
    typeof endpointOfficeCalls)

/** Settings, share links, the API of platforms (SET, SHARE). */
export const settingRows: { [Call in SettingCall]: Row<Input<Call>> } = {
  'setting/view': { who: everyone, ask: {} },
  'setting/save': { who: operators, ask: { name: 'Room' } },
  'deskSetting/view': { who: operators, ask: {} },
  'deskSetting/save': { who: operators, ask: { ...defaultRules, capacity: 5 } },
  'deskHours/view': { who: operators, ask: {} },
  'deskHours/save': {
    who: operators,
    ask: {
      hours_on: false,
      time_zone: null,
      week: Array(7).fill([]),
      days: [],
      greeting: {},
      away: {},
      default_language: 'en',
    },
  },
  'share/savePicture': { who: office, ask: null },
  'share/saveDomain': { who: operators, ask: { domain: '' } },
  'apiKey/list': { who: admins, ask: {} },
  'apiKey/add': { who: admins, ask: null },
  'apiKey/set': { who: admins, ask: null },
  'apiKey/rotate': { who: admins, ask: null },
  'apiKey/revoke': { who: admins, ask: null },
  'apiKey/emptySandbox': { who: admins, ask: null },
  'endpoint/list': { who: admins, ask: {} },
  'endpoint/add': { who: admins, ask: null },
  'endpoint/set': { who: admins, ask: null },
  'endpoint/remove': { who: admins, ask: null },
  'endpoint/rotate': { who: admins, ask: null },
  'endpoint/ping': { who: admins, ask: null },
  'endpoint/resend': { who: admins, ask: null },
  'endpoint/deliveries': { who: admins, ask: null },
}
