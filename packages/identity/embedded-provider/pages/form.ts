import { html, type Html } from './html.ts'

export interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string | undefined
  /** Shown below the label. */
  hint?: string
  /** What is wrong with the input; undefined: nothing. */
  problem?: string | undefined
  required?: boolean
  /** Further attributes, such as `maxlength`. */
  attributes?: Html
  autofocus?: boolean
}

/** A labelled input. Screen readers read its hint and its problem out with it. */
export function field(one: Field): Html {
  const { name, label, type, autocomplete, value, hint, problem, required = true, autofocus = false } = one
  const described = [
    hint === undefined ? [] : `${name}-hint`,
    problem === undefined ? [] : `${name}-problem`,
  ].flat()
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem === undefined ? undefined : html`<p class="problem" id="${name}-problem">${problem}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      ${attribute('value', value)}${
        required ? html` required` : undefined
      }${autofocus ? html` autofocus` : undefined}${attribute('aria-describedby', described.join(' '))}${
        problem === undefined ? undefined : html` aria-invalid="true"`
      }${one.attributes}
    />
  </div> `
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" /> `
}

/** An error about the whole form; screen readers announce it at once. */
export function alert(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="alert" role="alert">${text}</p> `
}

function attribute(name: string, value: string | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : html` ${name}="${value}"`
}
