/**
 * The files that a paste means. Spreadsheets and word processors copy their text as text, as markup and as an image: that
 * paste is its text. macOS's Finder copies a file with its name as text.
 */
export const pastedFiles = (data: DataTransfer): File[] => {
  const files = [...data.files]
  const text = data.getData('text/plain').trim().normalize()
  const isMarkup = data.types.includes('text/html') || data.types.includes('text/rtf')
  const names = files.map(({ name }) => name.normalize())
  const isNames = text.split(/[\r\n]+/).every((line) => names.includes(line))
  return text === '' || !isMarkup || isNames ? files : []
}
