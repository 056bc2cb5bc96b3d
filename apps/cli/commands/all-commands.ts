import type { Command } from '../program/command.ts'
import type { CommandEntry, CommandSection } from './command-section.ts'
import { vendorKeySection } from './vendor-keys/section.ts'

/**
 * Every command, in the order and under the headings of the help. Their files are loaded one by one, since
 * what is loaded is what a start takes long for.
 */
export const sections: readonly CommandSection[] = [
  {
    title: 'Account',
    commands: [
      {
        name: 'login',
        summary: 'Log in with your browser.',
        load: async () => (await import('./login/login.ts')).login,
      },
      {
        name: 'logout',
        summary: 'Forget the login and the cached API key.',
        load: async () => (await import('./logout/logout.ts')).logout,
      },
      {
        name: 'whoami',
        summary: 'Show who is logged in, and the balance.',
        load: async () => (await import('./whoami/whoami.ts')).whoami,
      },
      {
        name: 'sessions list',
        summary: 'List where you are signed in, and connected apps.',
        load: async () => (await import('./sessions/list.ts')).listSessions,
      },
      {
        name: 'sessions end',
        summary: 'Sign out elsewhere, or disconnect an app.',
        load: async () => (await import('./sessions/end.ts')).endSession,
      },
      {
        name: 'account close',
        summary: 'Close your account permanently.',
        load: async () => (await import('./account/close.ts')).closeAccount,
      },
    ],
  },
  {
    title: 'Keys',
    commands: [
      {
        name: 'keys create',
        summary: 'Create an API key.',
        load: async () => (await import('./keys/create.ts')).createKey,
      },
      {
        name: 'keys list',
        summary: 'List your API keys.',
        load: async () => (await import('./keys/list.ts')).listKeys,
      },
      {
        name: 'keys show',
        summary: "Show an API key's balance and limits.",
        load: async () => (await import('./keys/show.ts')).showKey,
      },
      {
        name: 'keys update',
        summary: "Change an API key's name or limits.",
        load: async () => (await import('./keys/update.ts')).updateKey,
      },
      {
        name: 'keys rotate',
        summary: 'Replace an API key with a new one.',
        load: async () => (await import('./keys/rotate.ts')).rotateKey,
      },
      {
        name: 'keys revoke',
        summary: 'Revoke an API key permanently.',
        load: async () => (await import('./keys/revoke.ts')).revokeKey,
      },
      {
        name: 'keys transfer',
        summary: 'Move credit from one of your keys to another.',
        load: async () => (await import('./keys/transfer.ts')).transferCredit,
      },
    ],
  },
  {
    title: 'Credit',
    commands: [
      {
        name: 'balance',
        summary: 'Show the total credit.',
        load: async () => (await import('./balance/balance.ts')).balance,
      },
      {
        name: 'topup',
        summary: 'Add credit.',
        load: async () => (await import('./topup/topup.ts')).topup,
      },
      {
        name: 'auto-topup show',
        summary: 'Show automatic top-up and its state.',
        load: async () => (await import('./auto-topup/show.ts')).showAutoTopup,
      },
      {
        name: 'auto-topup set',
        summary: 'Turn on automatic top-up.',
        load: async () => (await import('./auto-topup/set.ts')).setAutoTopup,
      },
      {
        name: 'auto-topup off',
        summary: 'Turn off automatic top-up.',
        load: async () => (await import('./auto-topup/off.ts')).stopAutoTopup,
      },
      {
        name: 'payment-methods list',
        summary: 'List saved payment methods.',
        load: async () => (await import('./payment-methods/list.ts')).listPaymentMethods,
      },
      {
        name: 'payment-methods remove',
        summary: 'Remove a payment method.',
        load: async () => (await import('./payment-methods/remove.ts')).removePaymentMethod,
      },
      {
        name: 'usage',
        summary: 'Show usage and cost.',
        load: async () => (await import('./usage/usage.ts')).usage,
      },
      {
        name: 'requests show',
        summary: 'Show one request, or its prompt and answer.',
        load: async () => (await import('./requests/show.ts')).showRequest,
      },
      {
        name: 'ledger',
        summary: 'List the movements of your credit.',
        load: async () => (await import('./ledger/ledger.ts')).ledger,
      },
    ],
  },
  vendorKeySection,
  {
    title: 'Budgets, alerts and webhooks',
    commands: [
      {
        name: 'budgets list',
        summary: 'List budgets and their spending.',
        load: async () => (await import('./budgets/list.ts')).listBudgets,
      },
      {
        name: 'budgets show',
        summary: 'Show a budget: spent, left, next reset.',
        load: async () => (await import('./budgets/show.ts')).showBudget,
      },
      {
        name: 'budgets report',
        summary: "Compare a budget's days with the ledger.",
        load: async () => (await import('./budgets/report.ts')).reportBudget,
      },
      {
        name: 'budgets create',
        summary: 'Create a budget.',
        load: async () => (await import('./budgets/create.ts')).createBudget,
      },
      {
        name: 'budgets update',
        summary: 'Change a budget.',
        load: async () => (await import('./budgets/update.ts')).updateBudget,
      },
      {
        name: 'budgets delete',
        summary: 'Delete a budget.',
        load: async () => (await import('./budgets/delete.ts')).deleteBudget,
      },
      {
        name: 'alerts list',
        summary: 'List alerts and which are on.',
        load: async () => (await import('./alerts/list.ts')).listAlerts,
      },
      {
        name: 'alerts set',
        summary: 'Turn an alert on or off.',
        load: async () => (await import('./alerts/set.ts')).setAlert,
      },
      {
        name: 'alerts events',
        summary: 'List events.',
        load: async () => (await import('./alerts/events.ts')).listEvents,
      },
      {
        name: 'webhooks list',
        summary: 'List webhook and mail targets.',
        load: async () => (await import('./webhooks/list.ts')).listEventTargets,
      },
      {
        name: 'webhooks show',
        summary: 'Show a webhook or mail target.',
        load: async () => (await import('./webhooks/show.ts')).showEventTarget,
      },
      {
        name: 'webhooks create',
        summary: 'Send events to a webhook, or by mail.',
        load: async () => (await import('./webhooks/create.ts')).createEventTarget,
      },
      {
        name: 'webhooks update',
        summary: 'Change, disable or enable a target.',
        load: async () => (await import('./webhooks/update.ts')).updateEventTarget,
      },
      {
        name: 'webhooks delete',
        summary: 'Delete a target.',
        load: async () => (await import('./webhooks/delete.ts')).deleteEventTarget,
      },
      {
        name: 'webhooks rotate-secret',
        summary: "Replace a webhook's signing secret.",
        load: async () => (await import('./webhooks/rotate-secret.ts')).rotateSecret,
      },
      {
        name: 'webhooks test',
        summary: 'Send a test event and show the response.',
        load: async () => (await import('./webhooks/test.ts')).testEventTarget,
      },
      {
        name: 'webhooks confirm',
        summary: 'Resend a confirmation mail.',
        load: async () => (await import('./webhooks/confirm.ts')).confirmEventTarget,
      },
      {
        name: 'webhooks deliveries',
        summary: 'List event deliveries.',
        load: async () => (await import('./webhooks/deliveries.ts')).listDeliveries,
      },
      {
        name: 'webhooks delivery',
        summary: "Show a delivery's attempts and responses.",
        load: async () => (await import('./webhooks/delivery.ts')).showDelivery,
      },
      {
        name: 'webhooks redeliver',
        summary: 'Redeliver an event.',
        load: async () => (await import('./webhooks/redeliver.ts')).redeliver,
      },
    ],
  },
  {
    title: 'Organizations',
    commands: [
      {
        name: 'org list',
        summary: 'List your organizations.',
        load: async () => (await import('./org/list.ts')).listOrganizations,
      },
      {
        name: 'org create',
        summary: 'Create an organization.',
        load: async () => (await import('./org/create.ts')).createOrganization,
      },
      {
        name: 'org members',
        summary: 'List the members of an organization.',
        load: async () => (await import('./org/members.ts')).listMembers,
      },
      {
        name: 'org invite',
        summary: 'Create an invitation link.',
        load: async () => (await import('./org/invite.ts')).inviteMember,
      },
      {
        name: 'org join',
        summary: 'Join an organization with an invitation link.',
        load: async () => (await import('./org/join.ts')).joinOrganization,
      },
      {
        name: 'org remove',
        summary: 'Remove a member.',
        load: async () => (await import('./org/remove.ts')).removeMember,
      },
      {
        name: 'org leave',
        summary: 'Leave an organization.',
        load: async () => (await import('./org/leave.ts')).leaveOrganization,
      },
      {
        name: 'projects list',
        summary: 'List projects.',
        load: async () => (await import('./projects/list.ts')).listProjects,
      },
      {
        name: 'projects create',
        summary: 'Create a project.',
        load: async () => (await import('./projects/create.ts')).createProject,
      },
      {
        name: 'projects archive',
        summary: 'Archive a project.',
        load: async () => (await import('./projects/archive.ts')).archiveProject,
      },
    ],
  },
  {
    title: 'Prompt log',
    commands: [
      {
        name: 'log show',
        summary: "Show the prompt log's settings.",
        load: async () => (await import('./log/state.ts')).logState,
      },
      {
        name: 'log set',
        summary: 'Turn the prompt log on or off.',
        load: async () => (await import('./log/set.ts')).setLog,
      },
      {
        name: 'log delete',
        summary: 'Delete kept prompts and answers.',
        load: async () => (await import('./log/delete.ts')).deleteLog,
      },
    ],
  },
  {
    title: 'Models',
    commands: [
      {
        name: 'chat',
        summary: 'Chat with a model.',
        load: async () => (await import('./chat/chat.ts')).chat,
      },
      {
        name: 'test',
        summary: 'Check gateway and API key with one tiny request.',
        load: async () => (await import('./test/test.ts')).test,
      },
      {
        name: 'models',
        summary: 'List callable models and their prices.',
        load: async () => (await import('./models/models.ts')).models,
      },
      {
        name: 'route',
        summary: 'Explain which model auto-routing would pick for a prompt.',
        load: async () => (await import('./route/route.ts')).route,
      },
      {
        name: 'env',
        summary: 'Print environment variables for OpenAI clients.',
        load: async () => (await import('./env/env.ts')).env,
      },
    ],
  },
  {
    title: 'Shell and agents',
    commands: [
      {
        name: 'mcp',
        summary: 'Run an MCP server for agents.',
        load: async () => (await import('./mcp/mcp.ts')).mcp,
      },
      {
        name: 'completion',
        summary: 'Print a shell completion script.',
        load: async () => (await import('./completion/completion.ts')).completion,
      },
    ],
  },
]

export const entries: readonly CommandEntry[] = sections.flatMap((section) => section.commands)

export async function loadCommand({ name, summary, load }: CommandEntry): Promise<Command> {
  return { name, summary, ...(await load()) }
}

export const groups: Readonly<Record<string, string>> = {
  sessions: 'See where you are signed in, and end it.',
  account: 'Close your account.',
  keys: 'Create, list, change and revoke API keys.',
  'auto-topup': 'Turn on automatic top-up.',
  'payment-methods': 'What automatic top-ups are charged to.',
  'vendor-keys': 'Your own keys of vendors, by which requests go first.',
  budgets: 'What may be spent, on what, in what time.',
  alerts: 'What you are told of by itself, and what happened.',
  webhooks: 'Where events are told, webhooks and mail, and how that went.',
  org: 'Organizations: make them, join them, see who belongs to them.',
  projects: 'What keys are for.',
  requests: 'See single requests.',
  log: 'Keep prompts and answers, and delete them.',
}
