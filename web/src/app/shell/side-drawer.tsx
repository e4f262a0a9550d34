import { useWords } from '../../i18n/i18n.ts'
import { useCloseOnBack } from '../../ui/overlay/close-on-back.ts'
import { Drawer } from '../../ui/overlay/drawer.tsx'
import { BellButton } from '../../chat/view/bell-button.tsx'
import { Side } from './side.tsx'

/** The menu on a small screen. */
export const SideDrawer = ({ side, onClose }: { side: string; onClose: () => void }) => {
  const { t } = useWords()
  useCloseOnBack(true, onClose)
  return (
    <Drawer placement="left" onClose={onClose} className={`side-drawer ${side}`} label={t('shell.menu')}>
      <Side bell={<BellButton className="icon-button" onOpen={onClose} />} />
    </Drawer>
  )
}
