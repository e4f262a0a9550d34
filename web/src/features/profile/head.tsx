import { roleWords } from '@tallyroom/contract/words/code-words'
import { AccountStatus as Status, isOffice } from '@tallyroom/contract/codes'
import type { AccountAct } from '@tallyroom/contract/pages/account-parts'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { chatPathOf } from '../../domain/chat-link.tsx'
import { AccountStatus } from '../../domain/status.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Avatar, nameOf } from '../../ui/person.tsx'
import { PointsButton } from '../room/desk/points-button.tsx'
import { commandTip } from '../room/state/commands.ts'
import { AccountPath } from '../account/account-path.tsx'
import type { Account } from './account.ts'

const AccountPoints = lazyPart(async () => (await import('../points/account-points.tsx')).AccountPoints)
const EditDialog = lazyPart(async () => (await import('../account/edit-dialog.tsx')).EditDialog)
const FreezeDialog = lazyPart(async () => (await import('../account/freeze-dialog.tsx')).FreezeDialog)
const MoveDialog = lazyPart(async () => (await import('../tree/move-dialog.tsx')).MoveDialog)

/** Who it is, where it is in the tree, and what can be done. */
export const Head = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const { id, role_id, username, nickname, thumbnail, status } = account
  return (
    <header className="profile-head">
      <Avatar src={thumbnail} name={nameOf(account)} size={48} />
      <div className="profile-who">
        <h1>
          <bdi>{nameOf(account)}</bdi>
          {nickname && <bdi className="profile-username">({username})</bdi>}
          {isOffice(role_id) && <span className="chip">{t(roleWords[role_id] ?? 'role.member')}</span>}
          {status === Status.frozen && <AccountStatus value={status} />}
        </h1>
        <AccountPath id={id} leads />
      </div>
      <Acts account={account} />
    </header>
  )
}

type Opened = 'points' | 'deposit' | 'edit' | 'move' | 'freeze'

const Acts = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const [opened, setOpened] = useState<Opened>()
  const own = useCall('user/view', {})
  const { id, room, acts } = account
  const may = (act: AccountAct) => acts.includes(act)
  const close = () => setOpened(undefined)
  // In the member's own conversation points also go by envelope; elsewhere they go as from the list.
  const fromList = may('transaction') ? 'points' : may('deposit') ? 'deposit' : undefined
  const item = (act: Opened, icon: IconName, word: string, danger = false) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={danger ? 'menu-item menu-danger' : 'menu-item'}
      onClick={() => setOpened(act)}
    >
      <Icon name={icon} />
      <span>{word}</span>
    </button>
  )
  const hasMenu = may('statement') || may('edit') || may('move') || may('freeze')
  return (
    <div className="profile-acts">
      {may('chat') && (
        <Link
          {...chatPathOf({ room_id: room?.room_id ?? 0, member_id: id, friend_id: id })}
          className="button button-main"
        >
          <Icon name="chat" />
          {t('contact.talk')}
        </Link>
      )}
      {may('chat') && room && !isOffice(account.role_id) && own.data ? (
        <PointsButton room={{ member_id: id, code: room.code }} own={own.data} />
      ) : (
        fromList && (
          <Button
            icon="points"
            data-key="points"
            {...commandTip('points', t('room.points'))}
            onClick={() => setOpened(fromList)}
          >
            {t('room.points_word')}
          </Button>
        )
      )}
      {hasMenu && (
        <Menu name={t('room.more')}>
          {may('statement') && (
            <Link to="/report/statement" search={{ id }} role="menuitem" tabIndex={-1} className="menu-item">
              <Icon name="notebook" />
              <span>{t('action.statement')}</span>
            </Link>
          )}
          {may('edit') && item('edit', 'edit', t('action.edit'))}
          {may('move') && item('move', 'move', t('tree.move'))}
          {may('freeze') && item('freeze', 'lock', t('action.freeze'), true)}
        </Menu>
      )}
      <Suspense>
        {opened === 'points' && <AccountPoints id={id} onClose={close} />}
        {opened === 'deposit' && <AccountPoints id={id} isDeposit onClose={close} />}
        {/* A right that was taken meanwhile closes its dialog. */}
        {opened === 'edit' && may('edit') && (
          <EditDialog
            row={account}
            isOnPage
            mayFreeze={may('freeze') || account.status === Status.frozen}
            onClose={close}
          />
        )}
        {opened === 'move' && may('move') && <MoveDialog row={account} onMoved={() => undefined} onClose={close} />}
        {opened === 'freeze' && may('freeze') && <FreezeDialog row={account} onClose={close} />}
      </Suspense>
    </div>
  )
}
