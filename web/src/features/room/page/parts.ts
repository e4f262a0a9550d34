import { lazyRouteComponent } from '@tanstack/react-router'

/** The routes say when it is loaded, and the layout of the conversations draws it. */
export const RoomPage = lazyRouteComponent(() => import('./room-page.tsx'), 'RoomPage')
