import type { KoaContextWithOIDC } from 'oidc-provider'
import {
  deviceCodePage,
  deviceConfirmationPage,
  deviceConnectedPage,
  deviceDeclinedPage,
} from '../pages/device.ts'
import { userOfLogin } from '../logins/login.ts'
import { errorPage, expiredSignIn } from '../pages/messages.ts'
import { showPage } from './show-page.ts'
import type { ProviderUserStore } from '../stores.ts'

export interface DevicePagesOptions {
  users: ProviderUserStore
  /** The user code that the page was opened with, from `verification_uri_complete`. */
  userCodeOf: (context: KoaContextWithOIDC) => string | undefined
  /** Called when somebody enters a code that does not exist. */
  onWrongCode: (context: KoaContextWithOIDC) => void
}

/** The name shown for an application that signs in by a code. */
const deviceApplication = 'Turnpike command line'

/** Keyed by class names of `oidc-provider`, which does not export the classes. */
const codeProblems: Record<string, string> = {
  NotFoundError: 'This code is not valid. Compare it with the one on your device.',
  ExpiredError: 'This code has expired. Start again on your device.',
  AlreadyUsedError: 'This code has already been used. Start again on your device.',
  NoCodeError: 'Enter the code that your device shows.',
}

/** The pages of the device authorization grant, as callbacks for `oidc-provider`. */
export function devicePages({ users, userCodeOf, onWrongCode }: DevicePagesOptions) {
  const formOf = ({ oidc }: KoaContextWithOIDC) => ({
    action: new URL(oidc.urlFor('code_verification')).pathname,
    csrfToken: secretOf(oidc.session?.state),
  })
  return {
    userCodeInputSource(context: KoaContextWithOIDC, _form: string, _out?: unknown, error?: Error): void {
      if (goesOn(context) && isUnsaved(context.oidc.session)) {
        // Otherwise `oidc-provider` would save a session that does not exist, and fail.
        Object.assign(context.oidc.session!, { touched: false })
        return showPage(context, errorPage(400, expiredSignIn))
      }
      if (error?.name === 'AbortedError') return showPage(context, deviceDeclinedPage())
      if (error?.name === 'NotFoundError') onWrongCode(context)
      if (error === undefined) {
        return showPage(context, deviceCodePage(formOf(context), { userCode: userCodeOf(context) }))
      }
      const problem = codeProblems[error.name] ?? 'Something went wrong. Start again on your device.'
      const entered = context.oidc.params?.['user_code']
      const userCode = typeof entered === 'string' ? entered : undefined
      showPage(context, deviceCodePage(formOf(context), { userCode, problem, status: 400 }))
    },

    async userCodeConfirmSource(
      context: KoaContextWithOIDC,
      _form: string,
      _client: unknown,
      deviceInfo: Record<string, unknown>,
      userCode: string,
    ): Promise<void> {
      const { accountId } = context.oidc.session ?? {}
      const user = accountId === undefined ? undefined : await userOfLogin(users, accountId)
      const request = {
        userCode,
        application: deviceApplication,
        address: String(deviceInfo['address']),
        account: user && (user.email ?? user.name ?? user.id),
      }
      showPage(context, deviceConfirmationPage(formOf(context), request))
    },

    successSource(context: KoaContextWithOIDC): void {
      showPage(context, deviceConnectedPage(deviceApplication))
    },
  }
}

/** Whether this request follows the first page, which starts the session. */
function goesOn({ oidc, method }: KoaContextWithOIDC): boolean {
  return oidc.route === 'device_resume' || method === 'POST'
}

/** A browser that returns without the session in which it began. */
function isUnsaved(session: KoaContextWithOIDC['oidc']['session']): boolean {
  return session !== undefined && session.exp === undefined
}

function secretOf(state: unknown): string {
  const { secret } = (state ?? {}) as { secret?: unknown }
  return typeof secret === 'string' ? secret : ''
}
