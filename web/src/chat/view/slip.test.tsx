import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { cashCard, cashMessage } from '../../testing/message-fixtures.ts'
import { button, renderLight } from '../../testing/render.tsx'
import { CashCard } from './cards/cash-card.tsx'

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
})

test.each(['member', 'office'] as const)(
  '[CASH-02] on the %s’s side a press on the slip opens the whole of it',
  async (face) => {
    const shown = cashMessage({ cash: cashCard({ slip: '/media/7' }) })
    const { user } = renderLight(<CashCard message={shown} code="a" face={face} last={false} delivery="sent" />)
    const photo = within(button(t('message.enlarge'))).getByRole<HTMLImageElement>('img')
    // As wide as the card: a fixed width and height would cut the amount away.
    expect([photo.hasAttribute('width'), photo.hasAttribute('height'), photo.getAttribute('style')]).toEqual([
      false,
      false,
      null,
    ])
    await user.click(photo)
    expect(within(await screen.findByRole('dialog', { hidden: true })).getByRole('img', { hidden: true })).toBeTruthy()
  },
)
