/* Numbers that scanf reads in part: where it stops, and what it stores. */
#include <stdio.h>
#include <string.h>
static const char *in[]={"0x","0x1g","-","+5","12a","0b1","08","0x7fffffff","-0x10"," 7","", "-a","1.5e3x","1e+","1e+5",".","-.5","0x.8p1","0xp1","nan","naX","infinity","infinitx","inf","1.2.3","00012","0x1.8","+nan","i","-inf zz"};
int main(void){ for(unsigned i=0;i<sizeof in/sizeof*in;i++){ int d=-7,n=-1,e; unsigned x=77; double f=-3; char r[40]="-"; 
 e=sscanf(in[i],"%d%n",&d,&n); printf("%s d %d %d %d;",in[i],e,d,n); n=-1; d=-7; e=sscanf(in[i],"%i%n",&d,&n); printf(" i %d %d %d;",e,d,n); n=-1;
 e=sscanf(in[i],"%x%n",&x,&n); printf(" x %d %u %d;",e,x,n); n=-1; e=sscanf(in[i],"%lf%n",&f,&n); printf(" f %d %g %d;",e,f,n);
 e=sscanf(in[i],"%3lf%s",&f,r); printf(" 3f %d %g %s;",e,f,r); strcpy(r,"-"); d=-7; e=sscanf(in[i],"%2d%s",&d,r); printf(" 2d %d %d %s\n",e,d,r); } return 0; }
