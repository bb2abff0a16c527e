// A spa with Angular Router: links, router.navigate on click, a lazy view, parameters, and an unlinked route.
import "zone.js";
import { Component, inject } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { ActivatedRoute, Router, RouterLink, RouterOutlet, provideRouter } from "@angular/router";

const later = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

@Component({
  selector: "app-root",
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav>
      <a routerLink="/">Start</a> <a routerLink="/about">About</a> <a [routerLink]="['/treatments']">Treatments</a>
      <a routerLink="/vouchers">Vouchers</a>
    </nav>
    <router-outlet />
  `,
})
class App {}

@Component({
  template: `
    <main>
      <h1>Home</h1>
      <div class="service-item-container" (click)="open()">
        <span>Dhyana For Two</span>
      </div>
      <div id="opening-hours" style="cursor: pointer" (click)="go('/opening-hours')">When we open</div>
      <span id="map" role="button" tabindex="0" (click)="go('/map')">How to find us</span>
    </main>
  `,
  styles: [".service-item-container { cursor: pointer }"],
})
class Home {
  private readonly router = inject(Router);

  open(): void {
    void this.router.navigate(["/service-item/26754310"]);
  }

  go(path: string): void {
    void this.router.navigateByUrl(path);
  }
}

@Component({
  imports: [RouterLink],
  template: `
    <main>
      <h1>Treatments</h1>
      @for (name of names; track name) {
        <a [routerLink]="['/treatments', name]">{{ name }}</a>
      }
    </main>
  `,
})
class Treatments {
  readonly names = ["sauna", "mud"];
}

@Component({ template: `<main><h1>{{ title }}</h1></main>` })
class Leaf {
  private readonly route = inject(ActivatedRoute).snapshot;
  readonly title = [this.route.data["title"], this.route.params["id"]].filter(Boolean).join(" ");
}

@Component({
  template: `
    <main>
      <h1>Vouchers</h1>
      <div id="gift-card" style="cursor: pointer" (click)="open()">One to give away</div>
    </main>
  `,
})
class Vouchers {
  private readonly router = inject(Router);

  open(): void {
    void this.router.navigate(["/vouchers", "gift"]);
  }
}

bootstrapApplication(App, {
  providers: [
    provideRouter([
      { path: "", pathMatch: "full", component: Home },
      { path: "about", component: Leaf, data: { title: "About" } },
      { path: "opening-hours", component: Leaf, data: { title: "Opening hours" } },
      { path: "map", component: Leaf, data: { title: "Map" } },
      { path: "treatments", component: Treatments },
      { path: "treatments/:id", component: Leaf, data: { title: "Treatment" } },
      { path: "service-item/:id", component: Leaf, data: { title: "Service item" } },
      { path: "vouchers", loadComponent: () => later(300).then(() => Vouchers) },
      { path: "vouchers/gift", component: Leaf, data: { title: "A voucher to give away" } },
      { path: "staff", children: [{ path: "rota", component: Leaf, data: { title: "Rota" } }] },
      { path: "**", component: Leaf, data: { title: "Nothing here" } },
    ]),
  ],
}).catch((error) => console.error(error));
