import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, Navigate } from '@tanstack/react-router'
import { currentOrganization } from './api/acting.ts'
import { ahead } from './api/ahead.ts'
import { budgetReportQuery, budgetsQuery } from './api/budget-queries.ts'
import { modelsQuery, providersQuery } from './api/model-queries.ts'
import { accountQuery, connectedAppsQuery, keysQuery, loginQuery, organizationsQuery } from './api/queries.ts'
import { rulesQuery, targetsQuery } from './pages/alerts/alert-queries.ts'
import { alertSearch } from './pages/alerts/alert-search.ts'
import { budgetSearch } from './pages/budgets/budget-search.ts'
import { compareSearch } from './pages/compare/compare-search.ts'
import { creditSearch } from './pages/credit/credit-search.ts'
import { healthQueries } from './pages/health/health-queries.ts'
import { healthSearch } from './pages/health/health-search.ts'
import { homeQueries } from './pages/home/home-queries.ts'
import { keySearch } from './pages/keys/key-search.ts'
import { modelSearch } from './pages/models/model-search.ts'
import { accountSearch } from './pages/operator/account/search.ts'
import { operatorSearch } from './pages/operator/operator-search.ts'
import { membersQuery, projectsQuery } from './api/team-queries.ts'
import { organizationSearch } from './pages/organization/organization-search.ts'
import { playgroundSearch } from './pages/playground/playground-search.ts'
import { projectPageQueries } from './pages/project/project-queries.ts'
import { oneProjectSearch } from './pages/project/project-search.ts'
import { projectQueries } from './pages/projects/project-queries.ts'
import { projectSearch } from './pages/projects/project-search.ts'
import { requestSearch } from './pages/requests/request-search.ts'
import { billingQuery, sessionsQuery } from './pages/settings/settings-queries.ts'
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
 * Each page is a file of its own in the build, and its view is in its address (`…-search.ts`). The heavier
 * pages request their data while their code still loads.
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

/** Reads each page's view from its address. Written inline in a route, its type would not be inferred. */
const views = {
  key: strictly(keySearch),
  usage: strictly(usageSearch),
  health: strictly(healthSearch),
  request: strictly(requestSearch),
  credit: strictly(creditSearch),
  model: strictly(modelSearch),
  compare: strictly(compareSearch),
  playground: strictly(playgroundSearch),
  operator: strictly(operatorSearch),
  operatorAccount: strictly(accountSearch),
  settings: strictly(settingsSearch),
  organization: strictly(organizationSearch),
  project: strictly(projectSearch),
  oneProject: strictly(oneProjectSearch),
  budget: strictly(budgetSearch),
  alert: strictly(alertSearch),
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
  loader: ({ context }) =>
    ahead(context, {
      projectsQuery,
      ...(currentOrganization() === undefined ? { connectedAppsQuery } : { membersQuery }),
    }),
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

const ofModels = createRoute({ getParentRoute, path: '/models' })

const models = createRoute({
  getParentRoute: () => ofModels,
  path: '/',
  staticData: { isOpen: true },
  validateSearch: views.model,
  loader: ({ context }) => ahead(context, { modelsQuery }, context.session.hasPublicModels),
  component: lazyPage(() => import('./pages/models/models-page.tsx'), 'ModelsPage'),
})

/** The rest of the path is the model ID, including slashes. */
const model = createRoute({
  getParentRoute: () => ofModels,
  path: '/$',
  staticData: { isOpen: true },
  loader: ({ context, params: { _splat: id = '' } }) =>
    ahead(context, { modelsQuery, own: providersQuery(id) }, context.session.hasPublicModels),
  component: lazyPage(() => import('./pages/model/model-page.tsx'), 'ModelPage'),
})

const compare = createRoute({
  getParentRoute,
  path: '/compare',
  staticData: { isOpen: true },
  validateSearch: views.compare,
  loader: ({ context }) => ahead(context, { modelsQuery }, context.session.hasPublicModels),
  component: lazyPage(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
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

const organization = createRoute({
  getParentRoute,
  path: '/organization',
  validateSearch: views.organization,
  loader: ({ context }) =>
    ahead(context, currentOrganization() === undefined ? { organizationsQuery } : { membersQuery }),
  component: lazyPage(() => import('./pages/organization/organization-page.tsx'), 'OrganizationPage'),
})

const projects = createRoute({
  getParentRoute,
  path: '/projects',
  validateSearch: views.project,
  loader: ({ context }) => ahead(context, projectQueries),
  component: lazyPage(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute,
  path: '/projects/$projectId',
  validateSearch: views.oneProject,
  loaderDeps: ({ search: { days, from, to } }) => ({ days, from, to }),
  loader: ({ context, params: { projectId }, deps }) =>
    ahead(context, { budgetsQuery, ...projectPageQueries(projectId, deps) }),
  component: lazyPage(() => import('./pages/project/project-page.tsx'), 'ProjectPage'),
})

const budgets = createRoute({
  getParentRoute,
  path: '/budgets',
  validateSearch: views.budget,
  loader: ({ context }) => ahead(context, { budgetsQuery }),
  component: lazyPage(() => import('./pages/budgets/budgets-page.tsx'), 'BudgetsPage'),
})

const budget = createRoute({
  getParentRoute,
  path: '/budgets/$budgetId',
  loader: ({ context, params: { budgetId } }) => ahead(context, { report: budgetReportQuery(budgetId) }),
  component: lazyPage(() => import('./pages/budget/budget-page.tsx'), 'BudgetPage'),
})

const alerts = createRoute({
  getParentRoute,
  path: '/alerts',
  validateSearch: views.alert,
  loader: ({ context }) => ahead(context, { rulesQuery, targetsQuery }),
  component: lazyPage(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
})

/** The target of an invitation's link. */
const join = createRoute({
  getParentRoute,
  path: '/join',
  component: lazyPage(() => import('./pages/join/join-page.tsx'), 'JoinPage'),
})

/** The targets of links in emails about a sign-in. */
const verifyEmail = createRoute({
  getParentRoute,
  path: '/verify-email',
  component: lazyPage(() => import('./pages/verify-email/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const newPassword = createRoute({
  getParentRoute,
  path: '/new-password',
  staticData: { isForStrangers: true },
  component: lazyPage(() => import('./pages/new-password/new-password-page.tsx'), 'NewPasswordPage'),
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

const operatorAccount = createRoute({
  getParentRoute,
  path: '/operator/accounts/$accountId',
  validateSearch: views.operatorAccount,
  component: lazyPage(() => import('./pages/operator/account/account-page.tsx'), 'AccountPage'),
})

const operatorRequest = createRoute({
  getParentRoute,
  path: '/operator/requests/$requestId',
  component: lazyPage(() => import('./pages/operator/request-page.tsx'), 'OperatorRequestPage'),
})

/** Identity providers redirect here after a sign-out. */
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
  ofModels.addChildren([models, model]),
  compare,
  playground,
  connect,
  organization,
  projects,
  project,
  budgets,
  budget,
  alerts,
  join,
  verifyEmail,
  newPassword,
  settings,
  operator,
  operatorAccount,
  operatorRequest,
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
  interface StaticDataRouteOption {
    /** Also shown without a sign-in, if the operator has opened the models. */
    isOpen?: boolean
    /** Also shown without a sign-in, with a frame of its own. */
    isForStrangers?: boolean
  }
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
