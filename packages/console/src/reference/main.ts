import '../tokens.css';
import '../base.css';
import './reference.css';
import { applyTheme } from '../shell/theme.ts';
import { addCopyButtons } from './copy.ts';
import { startSearch } from './search.ts';
import { startTryIt } from './try-it.ts';

applyTheme();
startSearch();
addCopyButtons();
startTryIt();

// A phone shows the content first.
const contents = document.querySelector<HTMLDetailsElement>('.contents');
if (contents && matchMedia('(width <= 800px)').matches) contents.open = false;
contents?.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement && matchMedia('(width <= 800px)').matches) {
    contents.open = false;
  }
});

// Only this list moves: the page stays where its anchor is.
const side = document.querySelector<HTMLElement>('.side');
const shown = side?.querySelector<HTMLElement>('[aria-current]');
if (side && shown) side.scrollTop = shown.offsetTop - side.clientHeight / 2;
