import { AccountStatus, fitsBelow, isCustomerService, Role } from '@tallyroom/contract/codes'
import { Suspense, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { lazyPart, usePreload } from '../../ui/page/lazy-part.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { PageActs } from '../../ui/page/page-acts.tsx'
import { nameOf } from '../../ui/person.tsx'
import type { NewRole } from '../account/add-dialog.tsx'
import { FindName } from '../../domain/find-name.tsx'
import { openKey } from './keys.ts'
import { type Line, indexOf, type TreeRow } from './layout.ts'
import type { Tree } from './store.ts'
import { TreeGrid } from './tree-grid.tsx'
import { useLayout, useRefreshTree, useTree } from './use-tree.ts'
import './tree.css'

const AddDialog = lazyPart(async () => (await import('../account/add-dialog.tsx')).AddDialog)
const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)
const AccountPoints = lazyPart(async () => (await import('../points/account-points.tsx')).AccountPoints)
const AccountDrawer = lazyPart(async () => (await import('./account-drawer.tsx')).AccountDrawer)
const loadParts = () => {
  for (const part of [AddDialog, MoveDialog, AccountPoints, AccountDrawer]) part.preload()
}

/** /tree: all accounts from one's own down (TREE-01), where agents and customer service are added (TREE-02). */
export const TreePage = () => {
  const { t } = useWords()
  const view = useCall('tree/view', {}, { keepPrevious: true })
  usePreload(loadParts)
  return (
    <section className="table-page" aria-label={t('menu.tree')}>
      {view.data ? (
        <TreeOf row={view.data.row} levels={view.data.levels} />
      ) : (
        <div className="table-card">
          <div className="table-scroll table-waiting">
            {view.error ? (
              <div className="table-none" role="alert">
                <p>{view.error.message}</p>
                <Button icon="refresh" onClick={() => void view.refetch()}>
                  {t('action.try_again')}
                </Button>
              </div>
            ) : (
              <p role="status">{t('table.loading')}</p>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

/** The account that the page acts on: what it is and how deep it is. */
type Chosen = { row: TreeRow; level: number }
/** The line that has or gets the focus. `id`: the account that it follows, until the user goes to another line. */
type Focus = { index: number; asked: number; id?: number | undefined }

const TreeOf = ({ row, levels }: { row: TreeRow; levels: number }) => {
  const { t } = useWords()
  const tree = useTree(row)
  const refresh = useRefreshTree(tree)
  const layout = useLayout(tree)
  const [focus, setFocus] = useState<Focus>({ index: 0, asked: 0 })
  const [chosen, setChosen] = useState<Chosen>()
  const [below, setBelow] = useState<TreeRow>()
  const [moving, setMoving] = useState<TreeRow>()
  const [paid, setPaid] = useState<number>()
  const [error, setError] = useState('')
  const goTo = (index: number, id?: number) => setFocus(({ asked }) => ({ index, asked: asked + 1, id }))
  useEffect(() => {
    // The lists above an account that was moved or added are loaded again after it is shown, and shift its line.
    const index = focus.id === undefined ? -1 : indexOf(layout, focus.id)
    if (index < 0 || index === focus.index) return
    const hasFocus = document.activeElement?.closest('[role=treegrid]') !== null
    setFocus({ ...focus, index, asked: focus.asked + (hasFocus ? 1 : 0) })
  }, [layout, focus])
  const select = (line: Line) => {
    const key = openKey(line)
    if (line.kind === 'account') setChosen({ row: line.row, level: line.level })
    else if (key) tree.toggle(key, !tree.isOpen(key))
  }
  const show = async (id: number) => {
    setError('')
    try {
      const { path } = await call('tree/path', { id })
      tree.show(path)
      goTo(indexOf(tree.layout(), id), id)
    } catch (failure) {
      setError(errorText(failure))
    }
  }
  return (
    <>
      <PageActs>
        <Button main icon="plus" onClick={() => setBelow(row)}>
          {t('tree.add')}
        </Button>
      </PageActs>
      <FindName label={t('tree.find')} onFound={(id) => void show(id)} />
      {error && <Alert text={error} />}
      <div className="table-card">
        <TreeGrid
          label={t('menu.tree')}
          tree={tree}
          active={focus.index}
          focusAsked={focus.asked}
          onActive={(index) => goTo(index)}
          onFocused={(index) => setFocus(({ asked }) => ({ index, asked }))}
          selected={chosen?.row.id}
          onSelect={select}
        />
        <Footer tree={tree} row={row} levels={levels} />
      </div>
      <Suspense>
        {chosen && (
          <AccountDrawer
            row={chosen.row}
            level={chosen.level}
            onAdd={
              mayAddBelow(chosen.row)
                ? () => {
                    setChosen(undefined)
                    setBelow(chosen.row)
                  }
                : undefined
            }
            onMove={
              mayMove(chosen.row, row)
                ? () => {
                    setChosen(undefined)
                    setMoving(chosen.row)
                  }
                : undefined
            }
            onTransfer={() => {
              setChosen(undefined)
              setPaid(chosen.row.id)
            }}
            onClose={() => setChosen(undefined)}
          />
        )}
        {paid !== undefined && (
          <AccountPoints
            id={paid}
            onClose={() => {
              setPaid(undefined)
              refresh()
            }}
          />
        )}
        {moving && (
          <MoveDialog
            row={moving}
            onMoved={() => {
              refresh()
              void show(moving.id)
            }}
            onClose={() => setMoving(undefined)}
          />
        )}
        {below && (
          <AddDialog
            below={{ id: below.id, name: nameOf(below), roles: rolesBelow(below) }}
            onClose={() => setBelow(undefined)}
            onAdded={(id) => {
              refresh()
              void show(id)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

const mayAddBelow = (row: TreeRow) => rolesBelow(row).length > 0 && row.status === AccountStatus.active
/** Customer service stays with its group, and nobody moves their own account. */
const mayMove = (row: TreeRow, own: TreeRow) => row.id !== own.id && !isCustomerService(row.role_id)
const newRoles: readonly NewRole[] = [Role.agent, Role.customerService, Role.admin]
const rolesBelow = (row: TreeRow) => newRoles.filter((role) => fitsBelow(role, row.role_id))

const Footer = ({ tree, row, levels }: { tree: Tree; row: TreeRow; levels: number }) => {
  const { t } = useWords()
  // Draws again when a page of rows has arrived or failed.
  useLayout(tree)
  const all = row.below + 1
  return (
    <div className="table-footer">
      <span className="table-count" role="status">
        {`${t('tree.levels', { n: levels })}, ${t('tree.accounts', { n: all, count: groupCount(all) })}`}
      </span>
      {tree.hasFailed() && (
        <span className="tree-failed" role="alert">
          {t('tree.not_loaded')}
          <Button icon="refresh" onClick={tree.retry}>
            {t('action.try_again')}
          </Button>
        </span>
      )}
    </div>
  )
}
