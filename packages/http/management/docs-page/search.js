// Searches everything that is written about operations and schemas: names, paths, fields, descriptions.
;(function () {
  const field = document.getElementById('search')
  const told = document.getElementById('found')
  const contents = document.getElementById('contents')
  const items = [...contents.querySelectorAll('li')].map((item) => {
    const link = item.querySelector('a')
    const section = document.getElementById(link.hash.slice(1))
    return {
      item,
      link,
      isSchema: item.closest('.schemas') !== null,
      text: section.textContent.toLowerCase(),
    }
  })

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const none = words.length === 0
    let count = 0
    for (const { item, isSchema, text } of items) {
      const isFound = words.every((word) => text.includes(word))
      item.hidden = none ? isSchema : !isFound
      if (isFound) count++
    }
    for (const part of contents.querySelectorAll('.part'))
      part.hidden = !none && part.querySelector('li:not([hidden])') === null
    told.textContent = none ? '' : count === 1 ? '1 place' : `${count} places`
    if (!none) contents.open = true
  }

  field.addEventListener('input', search)
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    const first = items.find(({ item }) => !item.hidden)
    if (field.value.trim() !== '' && first !== undefined) first.link.click()
  })
  document.addEventListener('keydown', (event) => {
    const isTyped = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyped || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
  // On a narrow screen the contents are above the text, and would hide it if they were open.
  contents.open = matchMedia('(min-width: 60rem)').matches
  document.getElementById('search-form').hidden = false
  search()
})()
