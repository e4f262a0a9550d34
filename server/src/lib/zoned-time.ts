/** Shows moments in a time zone as the screens do: YYYY-MM-DD HH:mm:ss. */
export const zonedTime = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE-u-nu-latn-ca-gregory', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (moment: string | Date): string => format.format(new Date(moment))
}
