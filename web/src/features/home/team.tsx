import { Role } from '@tallyroom/contract/codes'
import { useCall } from '../../api/use-call.ts'
import { useColleagues, useLoads } from '../../chat/view/colleagues.ts'
import { StateDot, useStateWords } from '../../chat/view/state-dot.tsx'
import { useRooms } from '../../chat/view/use-chat.ts'
import { useWords } from '../../i18n/i18n.ts'
import { nameOf } from '../../ui/person.tsx'
import { AccountLink } from '../../domain/account-link.tsx'

/** The colleagues of the group: what each is, the conversations that each has now, and the requests that each has paid today. */
export const Team = ({ mayPay }: { mayPay: boolean }) => {
  const { t } = useWords()
  const colleagues = useColleagues()
  const loadOf = useLoads()
  const words = useStateWords()
  const day = useCall('cash/day', {}, { enabled: mayPay, meta: { optional: true } })
  const { list } = useRooms(1)
  // Alone there is nobody to look after.
  if (!colleagues.data || colleagues.data.data.length < 2) return null
  const own = (id: number) => list.filter((room) => room.owner_id === id && !room.snoozed_until)
  return (
    <section className="card home-part" aria-labelledby="home-team">
      <h2 id="home-team">{t('home.team')}</h2>
      <table className="home-team">
        <thead>
          <tr>
            <th scope="col">{t('requests.person')}</th>
            <th scope="col">{t('chat.rooms')}</th>
            <th scope="col">{t('desk.load')}</th>
            <th scope="col">{t('chat.group_waiting')}</th>
            {mayPay && <th scope="col">{t('cash.state_paid')}</th>}
          </tr>
        </thead>
        <tbody>
          {colleagues.data.data.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <AccountLink who={{ ...person, role_id: Role.customerService }}>
                  <bdi className="long">{nameOf(person)}</bdi>
                </AccountLink>
                <span className="home-state">
                  <StateDot state={person.state} />
                  {words(person)}
                </span>
              </th>
              <td className="points">{own(person.id).length}</td>
              <td className="points">{loadOf(person.id)}</td>
              <td className="points">{own(person.id).filter((room) => room.waiting_since !== null).length}</td>
              {mayPay && <td className="points">{day.data?.people.find(({ id }) => id === person.id)?.paid ?? 0}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
