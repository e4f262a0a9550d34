import type { Translate } from '../../i18n/i18n.ts'
import type { RowAction } from './column.ts'

export const editAction = <Row>(t: Translate, open: (kind: 'edit', row: Row) => void): RowAction<Row> => ({
  key: 'edit',
  label: t('action.edit'),
  icon: 'edit',
  letter: 'E',
  onSelect: (row) => open('edit', row),
})

export const deleteAction = <Row>(t: Translate, open: (kind: 'delete', row: Row) => void): RowAction<Row> => ({
  key: 'delete',
  label: t('action.delete'),
  icon: 'trash',
  letter: 'X',
  danger: true,
  onSelect: (row) => open('delete', row),
})
