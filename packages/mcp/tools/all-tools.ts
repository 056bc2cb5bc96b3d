import type { Tool } from '../tool.ts'
import { listAlerts, listDeliveries, listEvents, oneDelivery } from './alerts.ts'
import { balance } from './balance.ts'
import { createBudget, deleteBudget, listBudgets, updateBudget } from './budgets.ts'
import { chat } from './chat.ts'
import { health } from './health.ts'
import { createKey, listKeys } from './keys.ts'
import { listModels } from './models.ts'
import { route } from './route.ts'
import { topUp, topUpStatus } from './topups.ts'
import { usage } from './usage.ts'

/** In the order in which clients show the tools. */
export const tools: readonly Tool[] = [
  listModels,
  chat,
  route,
  balance,
  usage,
  health,
  listBudgets,
  createBudget,
  updateBudget,
  deleteBudget,
  listAlerts,
  listEvents,
  listDeliveries,
  oneDelivery,
  listKeys,
  createKey,
  topUp,
  topUpStatus,
]
