import { nameOf } from '../../../ui/person.tsx'
import type { ListedColleague } from '../colleagues.ts'

export type Mentionable = { id: number; name: string; person: ListedColleague }

/** The colleagues with the names that a text has for them: two with one nickname need their usernames. */
export const mentionable = (people: readonly ListedColleague[]): Mentionable[] => {
  const names = people.map(nameOf)
  return people.map((person, at) => {
    const name = names[at] ?? ''
    const isShared = names.indexOf(name) !== names.lastIndexOf(name)
    // As a field writes what is typed into it.
    return { id: person.id, name: (isShared ? `${name} (${person.username})` : name).normalize('NFC'), person }
  })
}
