/** Filters the list of all operations by the words that are typed. */
export function startSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  const found = document.querySelector('#found');
  if (!box || !found) return;
  const groups = [...document.querySelectorAll<HTMLDetailsElement>('.contents .group')];
  const wereOpen = new Map(groups.map((group) => [group, group.open]));
  const contents = document.querySelector<HTMLDetailsElement>('.contents');
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    // A phone shows the list only to those who look for something.
    if (contents && words.length > 0) contents.open = true;
    for (const group of groups) {
      let own = 0;
      for (const item of group.querySelectorAll<HTMLElement>('li')) {
        const text = item.dataset.words ?? '';
        item.hidden = words.length > 0 && !(text && words.every((word) => text.includes(word)));
        if (words.length > 0 && !item.hidden) own += 1;
      }
      group.hidden = words.length > 0 && own === 0;
      group.open = words.length > 0 ? own > 0 : (wereOpen.get(group) ?? false);
      count += own;
    }
    found.textContent = words.length === 0 ? '' : said(count);
  };
  box.addEventListener('input', filter);
  box.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter' || box.value.trim() === '') return;
    document.querySelector<HTMLAnchorElement>('.contents li[data-words]:not([hidden]) a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    box.focus();
  });
  // A browser keeps what was typed when a page is reloaded.
  if (box.value !== '') filter();
}

function said(count: number): string {
  if (count === 0) return 'No operation contains these words.';
  return count === 1 ? '1 operation' : `${count} operations`;
}
