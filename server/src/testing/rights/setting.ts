import type { CallName, Input } from '@tallyroom/contract'
import type { apiKeyCalls } from '@tallyroom/contract/calls/office/api-key'
import type { deskHoursCalls } from '@tallyroom/contract/calls/office/desk-hours'
import type { deskSettingCalls } from '@tallyroom/contract/calls/office/desk-setting'
import type { settingCalls } from '@tallyroom/contract/calls/office/setting'
import type { webhookCalls } from '@tallyroom/contract/calls/office/webhook'
import type { shareCalls } from '@tallyroom/contract/calls/accounts/share'
import { defaultRules } from '@tallyroom/contract/desk/rules'
import { admins, everyone, office, operators, type Row } from './row.ts'

type SettingCall = CallName &
  keyof (typeof settingCalls &
    typeof deskSettingCalls &
    typeof deskHoursCalls &
    typeof shareCalls &
    typeof apiKeyCalls &
    typeof webhookCalls)

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
  'webhook/list': { who: admins, ask: {} },
  'webhook/resend': { who: admins, ask: {} },
  // The sender would change the new row while later calls are compared.
  'webhook/ping': { who: admins, ask: null },
}
