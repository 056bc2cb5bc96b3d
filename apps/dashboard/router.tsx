import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, Navigate } from '@tanstack/react-router'
import { ahead } from './api/ahead.ts'
import { accountQuery, connectedAppsQuery, keysQuery } from './api/queries.ts'
import { creditSearch } from './pages/credit/credit-search.ts'
import { healthQueries } from './pages/health/health-queries.ts'
import { healthSearch } from './pages/health/health-search.ts'
import { homeQueries } from './pages/home/home-queries.ts'
import { keySearch } from './pages/keys/key-search.ts'
import { modelSearch } from './pages/models/model-search.ts'
import { operatorSearch } from './pages/operator/operator-search.ts'
import { playgroundSearch } from './pages/playground/playground-search.ts'
import { requestSearch } from './pages/requests/request-search.ts'
import { billingQuery, loginQuery, sessionsQuery } from './pages/settings/settings-queries.ts'
import { settingsSearch } from './pages/settings/settings-search.ts'
import { usageSearch } from './pages/usage/usage-search.ts'
import { viewQueries } from './pages/usage/view-queries.ts'
import { parseSearch, strictly, stringifySearch } from './search.ts'
import { lazyPage } from './shell/lazy-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { PagePending } from './shell/page-pending.tsx'
import { Root } from './shell/root.tsx'
import type { Session } from './sign-in/session.ts'

/*
 * Each page is a file of its own in the build, and its view is in its address (`…-search.ts`). What the
 * heavier ones show is asked for while their code is still on its way.
 */

interface RouterContext {
  queryClient: QueryClient
  session: Session
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFoundPage,
  loader: ({ context }) => ahead(context, { accountQuery, keysQuery }),
})
const getParentRoute = () => root

/** By page: what of its view stands in its address. */
const views = {
  key: strictly(keySearch),
  usage: strictly(usageSearch),
  health: strictly(healthSearch),
  request: strictly(requestSearch),
  credit: strictly(creditSearch),
  model: strictly(modelSearch),
  playground: strictly(playgroundSearch),
  operator: strictly(operatorSearch),
  settings: strictly(settingsSearch),
}

const home = createRoute({
  getParentRoute,
  path: '/',
  loader: ({ context }) => ahead(context, homeQueries),
  component: lazyPage(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const keys = createRoute({
  getParentRoute,
  path: '/keys',
  validateSearch: views.key,
  loader: ({ context }) => ahead(context, { connectedAppsQuery }),
  component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const usage = createRoute({
  getParentRoute,
  path: '/usage',
  validateSearch: views.usage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => ahead(context, viewQueries(deps)),
  component: lazyPage(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
})

const health = createRoute({
  getParentRoute,
  path: '/health',
  validateSearch: views.health,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => ahead(context, healthQueries(deps)),
  component: lazyPage(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
})

const requests = createRoute({
  getParentRoute,
  path: '/requests',
  validateSearch: views.request,
  component: lazyPage(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute,
  path: '/requests/$requestId',
  component: lazyPage(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
})

const credit = createRoute({
  getParentRoute,
  path: '/credit',
  validateSearch: views.credit,
  component: lazyPage(() => import('./pages/credit/credit-page.tsx'), 'CreditPage'),
})

const receipt = createRoute({
  getParentRoute,
  path: '/credit/receipts/$sessionId',
  component: lazyPage(() => import('./pages/credit/receipt-page.tsx'), 'ReceiptPage'),
})

const models = createRoute({
  getParentRoute,
  path: '/models',
  validateSearch: views.model,
  component: lazyPage(() => import('./pages/models/models-page.tsx'), 'ModelsPage'),
})

const playground = createRoute({
  getParentRoute,
  path: '/playground',
  validateSearch: views.playground,
  component: lazyPage(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
})

const connect = createRoute({
  getParentRoute,
  path: '/connect',
  component: lazyPage(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
})

const settings = createRoute({
  getParentRoute,
  path: '/settings',
  validateSearch: views.settings,
  loaderDeps: ({ search: { show } }) => ({ show }),
  loader: ({ context, deps: { show } }) =>
    ahead(context, {
      ...(show === 'sessions' && { sessionsQuery }),
      ...(show === 'billing' && { billingQuery }),
      ...(show === undefined && { loginQuery }),
    }),
  component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

const operator = createRoute({
  getParentRoute,
  path: '/operator',
  validateSearch: views.operator,
  component: lazyPage(() => import('./pages/operator/operator-page.tsx'), 'OperatorPage'),
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
  health,
  requests,
  request,
  credit,
  receipt,
  models,
  playground,
  connect,
  settings,
  operator,
  afterSignOut,
])

export function newRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
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
