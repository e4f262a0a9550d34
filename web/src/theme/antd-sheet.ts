import address from 'virtual:antd-sheet'

let slot: ChildNode | undefined

/**
 * Reserves the sheet's position in <head>: after the base rules, before the office's own, which override it. Call it
 * before the office loads.
 */
export const reserveSheetSlot = () => {
  // A built page has the slot in its HTML, beside the office's sheet.
  slot ??=
    document.querySelector('meta[name="component-library"]') ??
    document.head.appendChild(document.createComment('component library'))
}

/** Loads the component library's style sheet, together with its first component. */
export const loadAntdSheet = () =>
  new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('The style sheet of the component library could not be loaded.'))
    }
    if (slot) slot.after(link)
    else document.head.append(link)
  })
