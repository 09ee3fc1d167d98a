"use strict";(()=>{try{let e=localStorage.getItem("theme");e&&(document.documentElement.dataset.theme=e)}catch{}})();
