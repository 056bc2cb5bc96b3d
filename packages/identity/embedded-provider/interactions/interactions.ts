import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Client, type Provider } from 'oidc-provider'
import { providerPath } from '../addresses.ts'
import { canonicalEmail, isEmail } from '../../callers/email-address.ts'
import type { Interaction } from './interaction.ts'
import { grantToApp, mcpConsentOf } from './mcp-consent.ts'
import { isMcpClient } from './mcp-policy.ts'
import { formToken, isFormToken } from './form-token.ts'
import { newGrantId, type SessionParts } from '../logins/login-session.ts'
import { loginOf, userIdOf, userOfLogin } from '../logins/login.ts'
import type { MailedCodes } from '../logins/mailed-codes.ts'
import { passwordResetPage, passwordResetSentPage } from '../pages/password-reset.ts'
import { errorPage, expiredSignIn, tooManyAttemptsPage } from '../pages/messages.ts'
import { originOf, type Page } from '../pages/page.ts'
import { consentPage, signInPage, signUpPage, type SignInForm, type SignInWays } from '../pages/sign-in.ts'
import { mcpConsentPage } from '../pages/mcp-consent.ts'
import { TooManyPasswords } from '../logins/password.ts'
import { BadForm, readForm, sendPage } from '../provider-request.ts'
import type { SignIn } from '../logins/sign-in.ts'
import type { OrganizationsOfUser, ProviderUser } from '../stores.ts'

export const interactionPath = `${providerPath}/interaction/`

export interface InteractionContext extends SessionParts {
  provider: Provider
  signIn: SignIn
  /** Undefined: this gateway sends no mail. */
  mailed: Pick<MailedCodes, 'welcome' | 'requestNewPassword'> | undefined
  /** Secrets of cookies and forms, newest first. */
  secrets: readonly string[]
  applicationName: (redirectUri: unknown) => string
  organizationsOf: OrganizationsOfUser
}

interface Step {
  context: InteractionContext
  request: IncomingMessage
  response: ServerResponse
  interaction: Interaction
  form: SignInForm
  /** The app that asks; undefined: our own client. */
  app: Client | undefined
  callerAddress: string
}

/** Serves the pages on which a user signs in, registers, and consents. */
export async function serveInteraction(
  context: InteractionContext,
  request: IncomingMessage,
  response: ServerResponse,
  callerAddress: string,
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?', 1)
  const [uid = '', action = '', ...rest] = path.slice(interactionPath.length).split('/')
  const interaction = await interactionOf(context.provider, request, response)
  if (interaction === undefined || interaction.uid !== uid)
    return sendPage(response, errorPage(400, expiredSignIn))
  const app = await appOf(context.provider, interaction)
  if (app instanceof errors.OIDCProviderError) return sendPage(response, unreadableApp(app))
  const form = formOf(context, interaction, app)
  const step: Step = { context, request, response, interaction, form, app, callerAddress }
  const answer = rest.length === 0 ? await answerOf(step, action) : notFound()
  if (answer !== undefined) sendPage(response, answer)
}

async function interactionOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(request, response)
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

/** Undefined: our own client. Throws if the app's metadata can no longer be read. */
async function appOf(
  provider: Provider,
  { params }: Interaction,
): Promise<Client | errors.OIDCProviderError | undefined> {
  try {
    const client = await provider.Client.find(String(params['client_id']))
    return isMcpClient(client) ? client : undefined
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) return error
    throw error
  }
}

function unreadableApp({ error, error_description: description }: errors.OIDCProviderError): Page {
  return errorPage(400, 'The description of this application cannot be read right now.', {
    error,
    description,
  })
}

function formOf(
  context: InteractionContext,
  { uid, params }: Interaction,
  app: Client | undefined,
): SignInForm {
  const { redirect_uri: redirect } = params
  return {
    action: interactionPath + uid,
    csrfToken: formToken(context.secrets, uid),
    leadsTo: typeof redirect === 'string' ? [originOf(redirect)] : [],
    application: app === undefined ? context.applicationName(redirect) : `app “${app.clientName}”`,
  }
}

/** The page to show; undefined if the response was already sent, as a redirect. */
async function answerOf(step: Step, action: string): Promise<Page | undefined> {
  const { method } = step.request
  if (method === 'GET' || method === 'HEAD') return pageFor(step, action)
  if (method !== 'POST') return errorPage(405, 'This page accepts GET and POST.')
  try {
    const fields = await readForm(step.request)
    if (!isFormToken(step.context.secrets, step.interaction.uid, fields.get('csrf_token') ?? ''))
      return errorPage(403, 'This form was not sent from this page. Reload the page and try again.')
    return await submit(step, action, fields)
  } catch (error) {
    if (error instanceof BadForm)
      return errorPage(400, 'This form is not valid. Reload the page and try again.')
    if (error instanceof TooManyPasswords) return tooManyAttemptsPage(1)
    throw error
  }
}

async function pageFor(step: Step, action: string): Promise<Page> {
  const { context, interaction, form, app } = step
  const { registration } = context.signIn
  const isSignIn = interaction.prompt.name === 'login'
  if (action === 'sign-up' && isSignIn && registration !== 'closed')
    return signUpPage(form, signUpWaysOf(context))
  if (action === 'forgotten' && isSignIn && context.mailed !== undefined) return passwordResetPage(form)
  if (action !== '') return notFound()
  if (isSignIn) {
    const { login_hint: hint } = interaction.params
    return signInPage(form, waysOf(context), typeof hint === 'string' ? { email: hint } : {})
  }
  if (app !== undefined) return consentPageFor(step, app)
  const redirect = interaction.params['redirect_uri']
  const redirectsTo = typeof redirect === 'string' ? new URL(redirect).host : form.application
  return consentPage(form, await accountNameOf(context, interaction), redirectsTo)
}

async function submit(step: Step, action: string, fields: URLSearchParams): Promise<Page | undefined> {
  const prompt = step.interaction.prompt.name
  switch (action) {
    case 'sign-in':
      return prompt === 'login' ? signInWith(step, fields) : notFound()
    case 'sign-up':
      return prompt === 'login' ? signUpWith(step, fields) : notFound()
    case 'forgotten':
      return prompt === 'login' ? askForPassword(step, fields) : notFound()
    case 'consent':
      return prompt === 'consent' ? consent(step, fields) : notFound()
    case 'cancel':
      await finish(step, { error: 'access_denied', error_description: 'The user declined the request.' })
      return undefined
    default:
      return notFound()
  }
}

async function signInWith(step: Step, fields: URLSearchParams): Promise<Page | undefined> {
  const { signIn } = step.context
  const email = fields.get('email') ?? ''
  const result = await signIn.signIn(email, fields.get('password') ?? '', step.callerAddress)
  if ('user' in result) return finishSignIn(step, result.user)
  if ('waitSeconds' in result) return tooManyAttemptsPage(result.waitSeconds)
  const state = { email, problem: 'Incorrect email or password.', status: 400 }
  return signInPage(step.form, waysOf(step.context), state)
}

function waysOf({ signIn, mailed }: InteractionContext): SignInWays {
  return { mayRegister: signIn.registration !== 'closed', mayRecover: mailed !== undefined }
}

function askForPassword({ context, form, callerAddress }: Step, fields: URLSearchParams): Page {
  if (context.mailed === undefined) return notFound()
  const email = fields.get('email') ?? ''
  if (!isEmail(canonicalEmail(email)))
    return passwordResetPage(form, { email, problem: 'Enter an email address, such as name@example.com.' })
  const waitSeconds = context.mailed.requestNewPassword(email, callerAddress)
  return waitSeconds > 0 ? tooManyAttemptsPage(waitSeconds) : passwordResetSentPage(form, email.trim())
}

async function signUpWith(step: Step, fields: URLSearchParams): Promise<Page | undefined> {
  const { signIn } = step.context
  if (signIn.registration === 'closed') return errorPage(403, 'New accounts cannot be created here.')
  const input = {
    email: fields.get('email') ?? '',
    name: fields.get('name') ?? '',
    password: fields.get('password') ?? '',
    inviteCode: fields.get('invite_code') ?? '',
  }
  const result = await signIn.signUp(input, step.callerAddress)
  if ('user' in result) {
    step.context.mailed?.welcome(result.user, step.callerAddress)
    return finishSignIn(step, result.user)
  }
  if ('waitSeconds' in result) return tooManyAttemptsPage(result.waitSeconds)
  const { password: _, ...entered } = input
  const state = { ...entered, problems: result.problems, status: 400 }
  return signUpPage(step.form, signUpWaysOf(step.context), state)
}

function signUpWaysOf({ signIn, mailed }: InteractionContext) {
  return { needsInvite: signIn.registration === 'invite', mayRecover: mailed !== undefined }
}

async function finishSignIn(step: Step, user: ProviderUser): Promise<undefined> {
  await finish(step, { login: { accountId: loginOf(user), amr: ['pwd'] } })
  return undefined
}

async function consent(step: Step, fields: URLSearchParams): Promise<Page | undefined> {
  const { app, context, interaction } = step
  if (app === undefined) return consentToOurs(step)
  const organizationId = fields.get('organization') || undefined
  // The form may have been tampered with, or the user removed from the organization in the meantime.
  if (organizationId !== undefined && !(await belongsTo(step, organizationId)))
    return consentPageFor(step, app, 'You are no longer a member of that organization.')
  const scopes = fields.getAll('scope')
  const grantId = await grantToApp(context.provider, interaction, scopes, organizationId)
  if (grantId === undefined) return consentPageFor(step, app, 'Choose at least one permission, or cancel.')
  await finish(step, { consent: { grantId } })
  return undefined
}

async function consentPageFor(
  { context, interaction, form }: Step,
  app: Client,
  problem?: string,
): Promise<Page> {
  const account = await accountNameOf(context, interaction)
  const organizations = await organizationsOf(context, interaction)
  return mcpConsentPage(form, mcpConsentOf(app, interaction, { account, organizations }), problem)
}

async function belongsTo({ context, interaction }: Step, organizationId: string): Promise<boolean> {
  return (await organizationsOf(context, interaction)).some(({ id }) => id === organizationId)
}

function organizationsOf(
  { organizationsOf: ofUser }: InteractionContext,
  { session }: Interaction,
): ReturnType<OrganizationsOfUser> {
  return ofUser(userIdOf(session?.accountId ?? ''))
}

async function accountNameOf({ users }: InteractionContext, { session }: Interaction): Promise<string> {
  const user = await userOfLogin(users, session?.accountId ?? '')
  return user?.email ?? user?.name ?? 'yourself'
}

/** Grants our own client what it requested, for this sign-in. */
async function consentToOurs(step: Step): Promise<undefined> {
  const { context, interaction, request, callerAddress: address } = step
  const { accountId = '', uid: browserUid = '' } = interaction.session ?? {}
  const { client_id: clientId, redirect_uri: redirectUri } = interaction.params
  const userAgent = request.headers['user-agent']
  const grant = new context.provider.Grant({ clientId: String(clientId), accountId })
  grant.jti = await newGrantId(context, accountId, { browserUid, redirectUri, userAgent, address })
  const missing = interaction.prompt.details['missingOIDCScope']
  if (Array.isArray(missing)) grant.addOIDCScope(missing.join(' '))
  await finish(step, { consent: { grantId: await grant.save() } })
  return undefined
}

function finish({ context, request, response }: Step, result: object): Promise<void> {
  return context.provider.interactionFinished(request, response, { ...result })
}

function notFound(): Page {
  return errorPage(404, 'Page not found.')
}
