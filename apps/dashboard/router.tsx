import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from '@tanstack/react-router'
import { creditSearch } from './pages/credit/credit-search.ts'
import { keySearch } from './pages/keys/key-search.ts'
import { modelSearch } from './pages/models/model-search.ts'
import { operatorSearch } from './pages/operator/operator-search.ts'
import { playgroundSearch } from './pages/playground/playground-search.ts'
import { requestSearch } from './pages/requests/request-search.ts'
import { usageSearch } from './pages/usage/usage-search.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { PagePending } from './shell/page-pending.tsx'
import { Root } from './shell/root.tsx'

/* Each page is a file of its own in the build, and its view is in its address (`…-search.ts`). */

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })
const getParentRoute = () => root

const home = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const keys = createRoute({
  getParentRoute,
  path: '/keys',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const usage = createRoute({
  getParentRoute,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
})

const requests = createRoute({
  getParentRoute,
  path: '/requests',
  validateSearch: requestSearch,
  component: lazyRouteComponent(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
})

const credit = createRoute({
  getParentRoute,
  path: '/credit',
  validateSearch: creditSearch,
  component: lazyRouteComponent(() => import('./pages/credit/credit-page.tsx'), 'CreditPage'),
})

const models = createRoute({
  getParentRoute,
  path: '/models',
  validateSearch: modelSearch,
  component: lazyRouteComponent(() => import('./pages/models/models-page.tsx'), 'ModelsPage'),
})

const playground = createRoute({
  getParentRoute,
  path: '/playground',
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
})

const operator = createRoute({
  getParentRoute,
  path: '/operator',
  validateSearch: operatorSearch,
  component: lazyRouteComponent(() => import('./pages/operator/operator-page.tsx'), 'OperatorPage'),
})

/** Where identity providers lead back to after a sign-out. */
const afterSignOut = createRoute({
  getParentRoute,
  path: '/dashboard',
  component: () => <Navigate to="/" replace />,
})

const routeTree = root.addChildren([
  home,
  keys,
  usage,
  requests,
  request,
  credit,
  models,
  playground,
  operator,
  afterSignOut,
])

export function newRouter() {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    trailingSlash: 'never',
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageFailure,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
