import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { useNotes } from '../note/title-page.tsx'

/** The notebook of the member's conversation. */
export const Notes = ({ roomId }: { roomId: string }) => {
  const { t } = useWords()
  const { table, add } = useNotes(roomId)
  return (
    <>
      <p className="profile-tools">
        <Button icon="plus" disabled={!add} onClick={add}>
          {t('note.add')}
        </Button>
      </p>
      {table}
    </>
  )
}
