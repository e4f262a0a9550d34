import fakeRest from 'ra-data-fakerest'
import { Admin, DataTable, List, Resource, TextInput } from 'react-admin'
import { createRoot } from 'react-dom/client'
import { rows } from '../rows.js'

// As its tutorial builds one: its own sign-in page, its own frame, its own list. Its data are already here.
const signedIn = () => localStorage.getItem('signed_in') === '1'
const authProvider = {
  login: async () => localStorage.setItem('signed_in', '1'),
  logout: async () => localStorage.removeItem('signed_in'),
  checkAuth: () => (signedIn() ? Promise.resolve() : Promise.reject(new Error('signed out'))),
  checkError: () => Promise.resolve(),
  getPermissions: () => Promise.resolve(),
  getIdentity: async () => ({ id: 1, fullName: 'admin' }),
}

const Members = () => (
  <List filters={[<TextInput key="q" source="q" label="Search" alwaysOn />]} perPage={25}>
    <DataTable>
      <DataTable.Col source="username" />
      <DataTable.Col source="nickname" />
      <DataTable.NumberCol source="balance" />
      <DataTable.Col source="status" />
      <DataTable.Col source="created_at" />
    </DataTable>
  </List>
)

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={fakeRest({ members: rows })} authProvider={authProvider} disableTelemetry requireAuth>
    <Resource name="members" list={Members} />
  </Admin>,
)
