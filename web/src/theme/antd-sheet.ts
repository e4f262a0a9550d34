import address from 'virtual:antd-sheet'

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
    document.head.append(link)
  })
