import address from 'virtual:antd-sheet'

let place: ChildNode | undefined

/** Called before the office comes: the library's rules belong behind what every page starts from, before the office's own. */
export const reserveSheetSlot = () => {
  // What is built has the place in its page, beside the office's sheet.
  place ??=
    document.querySelector('meta[name="component-library"]') ??
    document.head.appendChild(document.createComment('component library'))
}

/** The rules of the component library; they come with its first part. */
export const loadAntdSheet = () =>
  new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('The sheet of the component library did not come.'))
    }
    if (place) place.after(link)
    else document.head.append(link)
  })
