import { requirePermission, type Acting, type Permission } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'

/** `person`: concerns the person who is signed in, not an organization. */
type RequiredPermission = Permission | 'person'

/**
 * The permission that each operation of users requires from the role of whoever acts for an organization, by
 * `operationId`. An operation that is not listed cannot be served: the API does not start.
 */
const needed: Readonly<Record<string, RequiredPermission>> = {
  getMe: 'member',
  updateMe: 'settings',
  getBalance: 'member',
  listModelsOfAccount: 'member',
  listModelProviders: 'member',
  explainRoute: 'member',

  getUsage: 'usage:read',
  getUsageBreakdown: 'usage:read',
  getUsageHealth: 'usage:read',
  listRequests: 'usage:read',
  getRequest: 'usage:read',
  exportUsage: 'usage:read',

  listKeys: 'keys:read',
  getKey: 'keys:read',
  createKey: 'keys:write',
  updateKey: 'keys:write',
  revokeKey: 'keys:write',
  rotateKey: 'keys:write',
  handOverKey: 'keys:hand-over',
  transferCredit: 'credit:move',
  getDeviceSignIn: 'keys:write',
  approveDeviceSignIn: 'keys:write',
  denyDeviceSignIn: 'keys:write',

  getRequestLog: 'logs',
  deleteRequestLog: 'logs',
  getPromptLog: 'logs',
  deletePromptLog: 'logs',

  listBudgets: 'usage:read',
  getBudget: 'usage:read',
  getBudgetReport: 'usage:read',
  createBudget: 'budgets:write',
  updateBudget: 'budgets:write',
  deleteBudget: 'budgets:write',

  listVendorKeys: 'vendor-keys',
  listVendorKeyProviders: 'vendor-keys',
  getVendorKey: 'vendor-keys',
  createVendorKey: 'vendor-keys',
  updateVendorKey: 'vendor-keys',
  deleteVendorKey: 'vendor-keys',
  replaceVendorKey: 'vendor-keys',

  listLedger: 'billing:read',
  exportLedger: 'billing:read',
  getTopup: 'billing:read',
  listTopups: 'billing:read',
  getReceipt: 'billing:read',
  getBillingDetails: 'billing:read',
  getAutoTopup: 'billing:read',
  listPaymentMethods: 'billing:read',
  setAutoTopup: 'billing:write',
  removeAutoTopup: 'billing:write',
  removePaymentMethod: 'billing:write',
  openTopup: 'billing:write',
  setBillingDetails: 'billing:write',
  removeBillingDetails: 'billing:write',

  getOrganization: 'member',
  leaveOrganization: 'member',
  listMembers: 'member',
  getMember: 'member',
  listProjects: 'member',
  getProject: 'member',
  createServiceAccount: 'members:write',
  updateMember: 'members:write',
  removeMember: 'members:write',
  createOrganizationInvitation: 'members:write',
  listOrganizationInvitations: 'members:write',
  revokeOrganizationInvitation: 'members:write',
  createProject: 'members:write',
  updateProject: 'members:write',
  archiveProject: 'members:write',
  closeOrganization: 'owner',

  listAlerts: 'alerts:write',
  setAlert: 'alerts:write',
  listEvents: 'alerts:write',
  getEvent: 'alerts:write',
  listEventTargets: 'alerts:write',
  getEventTarget: 'alerts:write',
  createEventTarget: 'alerts:write',
  updateEventTarget: 'alerts:write',
  deleteEventTarget: 'alerts:write',
  rotateEventTargetSecret: 'alerts:write',
  testEventTarget: 'alerts:write',
  confirmEventTarget: 'alerts:write',
  listDeliveries: 'alerts:write',
  getDelivery: 'alerts:write',
  redeliver: 'alerts:write',

  createOrganization: 'person',
  listOrganizations: 'person',
  previewOrganizationInvitation: 'person',
  acceptOrganizationInvitation: 'person',
  getLogin: 'person',
  changePassword: 'person',
  changeEmail: 'person',
  sendVerificationMail: 'person',
  verifyEmail: 'person',
  listSessions: 'person',
  endSession: 'person',
  endOtherSessions: 'person',
  listConnectedApps: 'person',
  endConnectedApp: 'person',
  exportOwnData: 'person',
  getAccountClosing: 'person',
  closeAccount: 'person',
}

/** Undefined: not listed. */
export function permissionOf(operation: string): RequiredPermission | undefined {
  return Object.hasOwn(needed, operation) ? needed[operation] : undefined
}

/**
 * Checks that the member may perform this operation.
 * @throws {GatewayError} 403 the role does not permit it; 400 it concerns a person, not an organization
 */
export function requirePermitted(acting: Acting, operation: string): void {
  if (acting.memberId === null) return
  const permission = permissionOf(operation)
  if (permission === 'person' || permission === undefined)
    throw invalidRequest(
      'X-Turnpike-Org',
      '`X-Turnpike-Org`: leave this header out. This endpoint is about the person who is signed in.',
    )
  requirePermission(acting, permission, operation)
}
