import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded by the routes, rendered by the messaging layout. */
export const RoomPage = lazyRouteComponent(() => import('./room-page.tsx'), 'RoomPage')
