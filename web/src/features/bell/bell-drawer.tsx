import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useEffect } from 'react'
import { useMenu } from '../../api/use-menu.ts'
import { usePages } from '../../api/use-pages.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useCloseOnBack } from '../../ui/overlay/close-on-back.ts'
import { Drawer } from '../../ui/overlay/drawer.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { ApprovalStatus } from '../approval/parts.tsx'
import { type BellRow, bellIcons, itemPath, useItemWords } from './bell-item.ts'
import { PushChoice } from './push-choice.tsx'
import './bell.css'

const PER_PAGE = 20

/** BELL-02: what a person has to know, newest first. Each leads to its place. */
export const BellDrawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  const router = useRouter()
  const { has } = useMenu()
  const list = usePages('bell/list', { per_page: PER_PAGE })
  const open = useCall('bell/open', {}, { meta: { optional: true } })
  const read = useSend('bell/read', { refreshes: ['bell/open', 'bell/list'] })
  useCloseOnBack(true, onClose)
  const { refetch } = list
  // The answer of the last opening is shown meanwhile.
  useEffect(() => void refetch(), [refetch])
  const { rows } = list
  const newest = rows[0]
  const follow = (event: MouseEvent, row: BellRow, href: string | undefined) => {
    if (!row.read) read.mutate({ ids: [row.id] })
    // Another tab shows it.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (href === undefined) return
    onClose()
    void router.navigate({ href })
  }
  return (
    <Drawer
      placement="right"
      title={t('shell.bell')}
      onClose={onClose}
      footer={open.data && <PushChoice pushes={open.data.pushes} />}
    >
      {list.error && <Alert text={list.error.message} />}
      {list.isPending && <p role="status">{t('table.loading')}</p>}
      {!list.isPending && !list.error && rows.length === 0 && (
        <p className="bell-empty" role="status">
          <strong>{t('bell.empty')}</strong>
          <span>{t('bell.empty_hint')}</span>
        </p>
      )}
      {newest && (open.data?.unread ?? 0) > 0 && (
        <Button small icon="check" disabled={read.isPending} onClick={() => read.mutate({ up_to: newest.id })}>
          {t('bell.read_all')}
        </Button>
      )}
      {rows.length > 0 && (
        <ul className="bell-list" data-rows="li" aria-label={t('shell.bell')}>
          {rows.map((row) => {
            const href = itemPath(row, has)
            const link = { className: 'bell-link', onClick: (event: MouseEvent) => follow(event, row, href) }
            return (
              <li key={row.id} className="bell-item" data-unread={row.read ? undefined : ''}>
                {href === undefined ? (
                  <button type="button" {...link}>
                    <Item row={row} />
                  </button>
                ) : (
                  <a href={href} {...link} onAuxClick={link.onClick}>
                    <Item row={row} />
                  </a>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('statement.load_more')}
        </Button>
      )}
    </Drawer>
  )
}

const Item = ({ row }: { row: BellRow }) => {
  const { t } = useWords()
  const { title, about, text } = useItemWords(row)
  return (
    <>
      <Icon name={bellIcons[row.kind]} size={18} />
      <span className="bell-words">
        <span className="bell-title" dir="auto">
          {!row.read && <span className="visually-hidden">{t('room.new')}: </span>}
          {title}
        </span>
        {about && <bdi className="bell-about">{about}</bdi>}
        {text && (
          <span className="bell-text" dir="auto">
            {text}
          </span>
        )}
        <span className="bell-foot">
          {row.state && <ApprovalStatus state={row.state} />}
          {row.kind === 'decision' && row.name && <bdi>{row.name}</bdi>}
          <time className="points" dateTime={row.created_at}>
            {showMoment(row.created_at)}
          </time>
        </span>
      </span>
    </>
  )
}
