import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'

// Each page is loaded when it is needed, as ours are.
const SignIn = lazy(() => import('./sign-in.jsx'))
const Members = lazy(() => import('./members.jsx'))

createRoot(document.getElementById('root')).render(
  <Suspense>{location.pathname === '/login' ? <SignIn /> : <Members />}</Suspense>,
)
